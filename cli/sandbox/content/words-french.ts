import type { Language } from "./vocabulary.js";

export const french: Language = {
  code: "fre",
  themes: {
    hydrography: {
      title: "Cours d'eau et lacs",
      keywords: ["hydrographie", "eau de surface", "bassin versant", "réseau hydrographique"],
    },
    bathymetry: {
      title: "Profondeurs du fond marin",
      keywords: ["bathymétrie", "sondage", "fond marin", "sondeur multifaisceaux"],
    },
    tides: {
      title: "Observations marégraphiques",
      keywords: ["marée", "niveau de la mer", "marégraphe", "zéro hydrographique"],
    },
    parcels: {
      title: "Parcelles cadastrales",
      keywords: ["parcelle cadastrale", "cadastre", "limite foncière", "propriété"],
    },
    "land-cover": {
      title: "Occupation du sol",
      keywords: ["occupation du sol", "usage des terres", "orthophotographie", "classification"],
    },
    soil: { title: "Carte pédologique", keywords: ["sol", "type de sol", "profil pédologique", "érosion"] },
    habitats: {
      title: "Habitats et biotopes",
      keywords: ["habitat", "biotope", "répartition des espèces", "végétation"],
    },
    "protected-sites": {
      title: "Sites protégés",
      keywords: ["site protégé", "réserve naturelle", "conservation", "parc national"],
    },
    roads: { title: "Réseau routier", keywords: ["route", "réseau de transport", "trafic", "pont"] },
    "air-quality": {
      title: "Surveillance de la qualité de l'air",
      keywords: ["qualité de l'air", "particules fines", "émission", "ozone"],
    },
    climate: {
      title: "Normales climatiques",
      keywords: ["climat", "précipitations", "température de l'air", "station météorologique"],
    },
    population: {
      title: "Population par îlot",
      keywords: ["population", "recensement", "ménage", "démographie"],
    },
  },
  places: [
    { name: "Vallée de la Mousse", lon: 5.72, lat: 45.31 },
    { name: "Île aux Sternes", lon: -2.94, lat: 47.42 },
    { name: "Plateau de Garance", lon: 2.31, lat: 44.87 },
    { name: "Baie-des-Érables", lon: -68.52, lat: 48.61 },
  ],
  agencies: [
    {
      name: "Office régional de l'information géographique",
      street: "3 rue du Méridien",
      city: "Garance",
      postcode: "12340",
      country: "FR",
      domain: "geographie.example.org",
    },
    {
      name: "Agence du littoral & des rivières",
      street: "18 quai des Sternes",
      city: "Port-Mousse",
      postcode: "56170",
      country: "FR",
      domain: "littoral.example.org",
    },
  ],
  people: ["Hélène Dupré", "François Lefèvre", "Zoé Marchand", "Benoît Garçon"],
  positions: ["Responsable des données", "Chef du service cartographie", "Géomaticien"],
  sentences: {
    abstract: [
      "{theme} pour le territoire {place}, établi par {agency}, situation en {year}.",
      "Le jeu de données compte {count} objets, tous vérifiés à l'aide des carnets de terrain de la campagne {year}.",
      "La géométrie est topologiquement propre et convient à l'aménagement régional.",
      "Les attributs suivent le catalogue d'objets du producteur ; les codes sont expliqués dans les informations complémentaires.",
      "Hors de {place}, la couverture est incomplète et les noms suivent la nomenclature officielle.",
      "Une mise à jour paraît après chaque campagne, les éditions antérieures restent disponibles sur demande.",
    ],
    purpose: [
      "Appui à l'aménagement, aux autorisations et à la gestion de crise à {place}.",
      "Rapportage réglementaire et échange entre administrations voisines.",
    ],
    lineage: [
      "Établi à partir d'un levé de terrain en {year} et d'orthophotographies à 20 cm de résolution.",
      "Numérisé depuis des feuilles papier, raccordé en bordure et corrigé avec {count} points d'appui.",
    ],
    step: [
      "Les observations ont été saisies sur place puis relues par un second opérateur.",
      "Les erreurs grossières ont été éliminées par comparaison avec l'édition précédente ; {count} objets ont été remesurés.",
      "Les coordonnées ont été transformées avec la grille officielle, écarts inférieurs à cinq centimètres.",
    ],
    supplement: [
      "Listes de codes, précisions et journal des changements {year} accompagnent le téléchargement.",
    ],
    limitation: [
      "Ne pas utiliser pour la navigation.",
      "Aucune garantie d'adéquation à un usage particulier n'est donnée.",
    ],
    licence: "Creative Commons Attribution 4.0 International",
    revision: "Révision",
    sheet: "feuille",
  },
};
