import type { Language } from "./vocabulary.js";

export const german: Language = {
  code: "ger",
  themes: {
    hydrography: {
      title: "Flüsse und Seen",
      keywords: ["Gewässernetz", "Oberflächengewässer", "Einzugsgebiet", "Fließgewässer"],
    },
    bathymetry: {
      title: "Meeresbodentiefen",
      keywords: ["Bathymetrie", "Lotung", "Meeresboden", "Fächerecholot"],
    },
    tides: { title: "Pegelbeobachtungen", keywords: ["Gezeiten", "Meeresspiegel", "Pegel", "Wasserstand"] },
    parcels: {
      title: "Flurstücke",
      keywords: ["Flurstück", "Liegenschaftskataster", "Grundstücksgrenze", "Grundbuch"],
    },
    "land-cover": {
      title: "Landbedeckung",
      keywords: ["Landbedeckung", "Landnutzung", "Luftbild", "Klassifikation"],
    },
    soil: { title: "Bodenübersichtskarte", keywords: ["Boden", "Bodentyp", "Bodenprofil", "Erosion"] },
    habitats: {
      title: "Lebensräume und Biotope",
      keywords: ["Lebensraum", "Biotop", "Artverbreitung", "Vegetation"],
    },
    "protected-sites": {
      title: "Schutzgebiete",
      keywords: ["Schutzgebiet", "Naturschutzgebiet", "Artenschutz", "Nationalpark"],
    },
    roads: { title: "Straßennetz", keywords: ["Straße", "Verkehrsnetz", "Verkehrsstärke", "Brücke"] },
    "air-quality": {
      title: "Luftgütemessungen",
      keywords: ["Luftqualität", "Feinstaub", "Emission", "Ozon"],
    },
    climate: {
      title: "Klimamittelwerte",
      keywords: ["Klima", "Niederschlag", "Lufttemperatur", "Wetterstation"],
    },
    population: {
      title: "Bevölkerung nach Baublöcken",
      keywords: ["Bevölkerung", "Zensus", "Haushalt", "Demografie"],
    },
  },
  places: [
    { name: "Oberes Moostal", lon: 11.21, lat: 47.62 },
    { name: "Insel Süderoog", lon: 8.44, lat: 54.58 },
    { name: "Märkische Heide", lon: 13.92, lat: 52.31 },
    { name: "Grünbachtal", lon: 9.87, lat: 49.12 },
  ],
  agencies: [
    {
      name: "Landesamt für Geoinformation",
      street: "Lindenallee 8",
      city: "Grünbach",
      postcode: "74564",
      country: "DE",
      domain: "geoinformation.example.org",
    },
    {
      name: "Behörde für Küste, Wasser & Umwelt",
      street: "Am Deich 21",
      city: "Süderhafen",
      postcode: "25849",
      country: "DE",
      domain: "kueste.example.org",
    },
  ],
  people: ["Jürgen Möller", "Katharina Weiß", "Sören Petersen", "Anja Schröder"],
  positions: ["Datenverantwortliche Stelle", "Leitung Kartografie", "Geodatenmanagement"],
  sentences: {
    abstract: [
      "{theme} für das Gebiet {place}, erhoben durch {agency}, Stand {year}.",
      "Der Datensatz umfasst {count} Objekte; jedes wurde mit den Feldbüchern der Kampagne {year} abgeglichen.",
      "Die Geometrien sind topologisch bereinigt und für die Regionalplanung geeignet.",
      "Die Attribute folgen dem Objektartenkatalog der herausgebenden Stelle; Schlüssel sind in den Zusatzangaben erläutert.",
      "Außerhalb von {place} ist die Abdeckung unvollständig; Namen folgen dem amtlichen Ortsverzeichnis.",
      "Nach jeder Messperiode erscheint eine neue Ausgabe, frühere Ausgaben sind auf Anfrage erhältlich.",
    ],
    purpose: [
      "Grundlage für Planung, Genehmigung und Katastrophenschutz in {place}.",
      "Berichtspflichten und Datenaustausch zwischen benachbarten Behörden.",
    ],
    lineage: [
      "Erstellt aus örtlicher Vermessung {year} und digitalen Orthophotos mit 20 cm Bodenauflösung.",
      "Von Papierkarten digitalisiert, an den Blatträndern angepasst und mit {count} Passpunkten berichtigt.",
    ],
    step: [
      "Beobachtungen wurden vor Ort erfasst und durch eine zweite Person geprüft.",
      "Grobe Fehler wurden durch Vergleich mit der Vorausgabe beseitigt; {count} Objekte wurden neu gemessen.",
      "Die Koordinaten wurden mit dem amtlichen Gitter überführt, Restklaffen unter fünf Zentimetern.",
    ],
    supplement: [
      "Schlüssellisten, Genauigkeitsangaben und Änderungsverzeichnis {year} liegen dem Download bei.",
    ],
    limitation: [
      "Nicht für die Navigation bestimmt.",
      "Für die Eignung zu einem bestimmten Zweck wird keine Gewähr übernommen.",
    ],
    licence: "Creative Commons Namensnennung 4.0 International",
    revision: "Überarbeitung",
    sheet: "Blatt",
  },
};
