import type { Language } from "./vocabulary.js";

export const spanish: Language = {
  code: "spa",
  themes: {
    hydrography: {
      title: "Ríos y lagos",
      keywords: ["hidrografía", "aguas superficiales", "cuenca", "red fluvial"],
    },
    bathymetry: {
      title: "Profundidades del fondo marino",
      keywords: ["batimetría", "sondeo", "fondo marino", "ecosonda multihaz"],
    },
    tides: {
      title: "Observaciones mareográficas",
      keywords: ["marea", "nivel del mar", "mareógrafo", "nivel de referencia"],
    },
    parcels: {
      title: "Parcelas catastrales",
      keywords: ["parcela catastral", "catastro", "linde", "propiedad"],
    },
    "land-cover": {
      title: "Cobertura del suelo",
      keywords: ["cobertura del suelo", "uso del suelo", "ortofotografía", "clasificación"],
    },
    soil: { title: "Mapa de suelos", keywords: ["suelo", "tipo de suelo", "perfil edáfico", "erosión"] },
    habitats: {
      title: "Hábitats y biotopos",
      keywords: ["hábitat", "biotopo", "distribución de especies", "vegetación"],
    },
    "protected-sites": {
      title: "Espacios protegidos",
      keywords: ["espacio protegido", "reserva natural", "conservación", "parque nacional"],
    },
    roads: { title: "Red de carreteras", keywords: ["carretera", "red de transporte", "tráfico", "puente"] },
    "air-quality": {
      title: "Vigilancia de la calidad del aire",
      keywords: ["calidad del aire", "partículas", "emisión", "ozono"],
    },
    climate: {
      title: "Normales climatológicas",
      keywords: ["clima", "precipitación", "temperatura del aire", "estación meteorológica"],
    },
    population: { title: "Población por manzana", keywords: ["población", "censo", "hogar", "demografía"] },
  },
  places: [
    { name: "Valle del Musgo", lon: -3.42, lat: 40.91 },
    { name: "Isla Charrán", lon: -13.61, lat: 28.97 },
    { name: "Sierra Peñuela", lon: -70.41, lat: -33.12 },
    { name: "Bahía Mañana", lon: -87.52, lat: 20.41 },
  ],
  agencies: [
    {
      name: "Instituto de Información Geográfica",
      street: "Calle del Meridiano 5",
      city: "Peñuela",
      postcode: "28740",
      country: "ES",
      domain: "cartografia.example.org",
    },
    {
      name: "Agencia de Costas & Aguas",
      street: "Paseo del Muelle 40",
      city: "Puerto Charrán",
      postcode: "35500",
      country: "ES",
      domain: "costas.example.org",
    },
  ],
  people: ["Íñigo Muñoz", "Lucía Fernández", "Óscar Peña", "María José Ibáñez"],
  positions: ["Responsable de datos", "Jefatura de cartografía", "Técnico SIG"],
  sentences: {
    abstract: [
      "{theme} para {place}, elaborado por {agency}, situación de {year}.",
      "El conjunto contiene {count} objetos, todos comprobados con los cuadernos de campo de la campaña de {year}.",
      "La geometría está topológicamente depurada y es apta para la planificación regional.",
      "Los atributos siguen el catálogo de objetos del productor; los códigos se explican en la información suplementaria.",
      "Fuera de {place} la cobertura es incompleta y los nombres siguen el nomenclátor oficial.",
      "Se publica una actualización tras cada campaña; las ediciones anteriores se facilitan a petición.",
    ],
    purpose: [
      "Apoyo a la planificación, las autorizaciones y la respuesta a emergencias en {place}.",
      "Informes reglamentarios e intercambio entre administraciones vecinas.",
    ],
    lineage: [
      "Elaborado a partir de levantamiento de campo en {year} y ortofotografía de 20 cm de resolución.",
      "Digitalizado de hojas en papel, casado en los bordes y corregido con {count} puntos de apoyo.",
    ],
    step: [
      "Las observaciones se anotaron en el lugar y fueron revisadas por una segunda persona.",
      "Los errores groseros se eliminaron comparando con la edición anterior; {count} objetos se midieron de nuevo.",
      "Las coordenadas se transformaron con la rejilla oficial, con residuos inferiores a cinco centímetros.",
    ],
    supplement: ["Listas de códigos, exactitudes y registro de cambios de {year} acompañan la descarga."],
    limitation: ["No apto para la navegación.", "No se garantiza la idoneidad para un fin concreto."],
    licence: "Creative Commons Atribución 4.0 Internacional",
    revision: "Revisión",
    sheet: "hoja",
  },
};
