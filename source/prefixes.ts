/**
 * The metadata prefixes that have a transform, for programs that may not import it. harvester/transform/index.ts is the
 * truth when a run begins; a test compares both.
 */
export const prefixes: readonly string[] = ["iso19139", "oai_dc"];
