/**
 * Which of two resource versions is older: negative = `a`, 0 = the same, positive = `b`; undefined = cannot be told.
 * Decimal numbers of any length (comparable since Kubernetes 1.35, and always were in etcd); anything else only equals itself.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!isDecimal(a) || !isDecimal(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

function isDecimal(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}
