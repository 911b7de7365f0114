import type { Language } from "./vocabulary.js";

export const english: Language = {
  code: "eng",
  themes: {
    hydrography: {
      title: "Rivers and lakes",
      keywords: ["hydrography", "surface water", "watershed", "stream network"],
    },
    bathymetry: {
      title: "Sea floor depths",
      keywords: ["bathymetry", "sounding", "sea floor", "multibeam survey"],
    },
    tides: {
      title: "Tide gauge observations",
      keywords: ["tide", "sea level", "coastal water level", "datum"],
    },
    parcels: {
      title: "Cadastral parcels",
      keywords: ["cadastral parcel", "land register", "boundary", "ownership"],
    },
    "land-cover": {
      title: "Land cover classification",
      keywords: ["land cover", "land use", "orthoimagery", "classification"],
    },
    soil: { title: "Soil survey", keywords: ["soil", "soil type", "soil profile", "erosion"] },
    habitats: {
      title: "Habitats and biotopes",
      keywords: ["habitat", "biotope", "species distribution", "vegetation"],
    },
    "protected-sites": {
      title: "Protected sites",
      keywords: ["protected site", "nature reserve", "conservation", "national park"],
    },
    roads: { title: "Road network", keywords: ["road", "transport network", "traffic", "bridge"] },
    "air-quality": {
      title: "Air quality monitoring",
      keywords: ["air quality", "particulate matter", "emission", "ozone"],
    },
    climate: {
      title: "Climate normals",
      keywords: ["climate", "precipitation", "air temperature", "weather station"],
    },
    population: {
      title: "Population by census block",
      keywords: ["population", "census", "household", "demography"],
    },
  },
  places: [
    { name: "Tern Island", lon: -70.21, lat: 43.62 },
    { name: "Moss Valley", lon: -98.31, lat: 38.44 },
    { name: "Larkspur County", lon: -121.75, lat: 44.06 },
    { name: "Harbour Point", lon: -1.42, lat: 50.81 },
    { name: "Glen Corrie", lon: -4.87, lat: 56.92 },
    { name: "Red Mesa", lon: -109.4, lat: 36.91 },
    { name: "Southern Plateau", lon: 146.32, lat: -42.11 },
  ],
  agencies: [
    {
      name: "State Survey & Mapping Office",
      street: "14 Meridian Street",
      city: "Larkspur",
      postcode: "97741",
      country: "US",
      domain: "survey.example.org",
    },
    {
      name: "Harbour and Coast Authority",
      street: "2 Quay Road",
      city: "Harbour Point",
      postcode: "SO14 2AQ",
      country: "GB",
      domain: "coast.example.org",
    },
    {
      name: "Department of Natural Resources",
      street: "700 River Avenue",
      city: "Moss Valley",
      postcode: "67501",
      country: "US",
      domain: "resources.example.org",
    },
  ],
  people: ["Lena Okafor", "James Whitfield", "Maria O'Connell", "Priya Raman", "Thomas Birch", "Ada Nilsen"],
  positions: ["Data steward", "Head of cartography", "GIS analyst", "Records officer"],
  sentences: {
    abstract: [
      "{theme} for {place}, compiled by {agency} and current as of {year}.",
      "The data set holds {count} features, each checked against the field books of the {year} campaign.",
      "Geometry was captured at a nominal scale suited to regional planning and is topologically clean.",
      "Attributes follow the feature catalogue of the publisher; codes are explained in the supplementary information.",
      "Users should note that coverage outside {place} is incomplete and that names follow the official gazetteer.",
      "Updates are published after each survey season; superseded editions remain available on request.",
      "Values below the limit of detection are kept and flagged rather than removed, so that series stay comparable.",
    ],
    purpose: [
      "Support for planning, permitting and emergency response in {place}.",
      "Reporting under national law and exchange between neighbouring authorities.",
      "Base layer for hydrological and ecological models of {place}.",
    ],
    lineage: [
      "Compiled from field survey in {year} and orthoimagery with 20 cm ground resolution; conflicts were settled in favour of the survey.",
      "Digitised from paper sheets, edge matched, and corrected with {count} ground control points in {year}.",
      "Derived from the {year} national series by clipping to {place} and generalising lines with a tolerance of two metres.",
    ],
    step: [
      "Field observations were entered on site and reviewed by a second observer.",
      "Gross errors were removed by comparison with the previous edition; {count} features were re-measured.",
      "Coordinates were transformed with the official grid, residuals stayed below five centimetres.",
      "Attribute domains were validated against the feature catalogue and rejected rows returned to the surveyor.",
    ],
    supplement: [
      "Code lists, accuracy figures and a change log for {year} accompany the download of {theme}.",
    ],
    limitation: [
      "Not to be used for navigation.",
      "No warranty is given as to fitness for a particular purpose.",
      "Position may deviate by up to five metres.",
    ],
    licence: "Creative Commons Attribution 4.0 International",
    revision: "Revision",
    sheet: "sheet",
  },
};
