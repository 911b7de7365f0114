/** The metadata formats a sandbox can serve, by their metadataPrefix. */
export type Format = "oai_dc" | "iso19139";
