/** Namespaces that tell a format, as they stand near the top of a record; the mappings of harvester/transform read these. */
const telling: readonly { readonly prefix: string; readonly namespaces: readonly string[] }[] = [
  { prefix: "oai_dc", namespaces: ["http://www.openarchives.org/OAI/2.0/oai_dc/"] },
  {
    prefix: "iso19139",
    namespaces: ["http://www.isotc211.org/2005/gmd", "http://www.isotc211.org/2005/gmi"],
  },
];

/** The metadataPrefix a record looks like; undefined when it is none of ours. `head`: its first bytes. */
export function formatOf(head: string): string | undefined {
  return telling.find(({ namespaces }) =>
    namespaces.some((one) => head.includes(`"${one}"`) || head.includes(`'${one}'`)),
  )?.prefix;
}
