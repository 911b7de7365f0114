import { describe, expect, it } from "vitest";
import { compile } from "./environment.js";

function evaluate(expression: string, activation: Readonly<Record<string, unknown>> = {}): unknown {
  const outcome = compile(expression)(activation);
  return outcome.ok ? outcome.value : `error: ${outcome.error}`;
}

describe("an expression", () => {
  const cases: readonly (readonly [expression: string, value: unknown])[] = [
    // matches: RE2, found anywhere, its white space that of ASCII, its end the end.
    ["'abc'.matches('b')", true],
    ["'abc'.matches('^b')", false],
    ["'\\u00a0'.matches('\\\\s')", false],
    ["' '.matches('\\\\s')", true],
    ["'x'.matches('(?i)^X$')", true],
    ["'a\\n'.matches('^a$')", false],
    ["'😀'.matches('^.$')", true],
    // Texts as Go has them.
    ["'ÄA'.lowerAscii()", "Äa"],
    ["'äa'.upperAscii()", "äA"],
    ["'\\u0085 a\\ufeff\\n'.trim()", "a\ufeff"],
    ["'  '.trim()", ""],
    ["'a.b.c'.replace('.', '$&')", "a$&b$&c"],
    ["'😀'.size()", 1n],
    ["'a,b'.split(',')", ["a", "b"]],
    // Addresses.
    ["isURL('https://a.example:99999/')", true],
    ["isURL('https://a:b:c/')", false],
    ["isURL('../relative')", false],
    ["isURL('/absolute')", true],
    ["url('https://A.example:80/x?k=1#f').getHostname()", "A.example"],
    ["url('https://[::1]:80/').getHostname()", "::1"],
    ["url('https://[::1]:80/').getHost()", "[::1]:80"],
    ["url('https://[::1]:80/').getPort()", "80"],
    ["url('https://a.example').getPort()", ""],
    ["url('HTTPS://a.example').getScheme()", "https"],
    ["url('/path').getHostname()", ""],
    ["url('https://a.example/?k1=a&k2=b&k2=c%20d').getQuery()['k2']", ["b", "c d"]],
    ["url('https://a.example/?k=a+b').getQuery()['k'][0]", "a b"],
    ["'zz' in url('https://a.example/?k=a').getQuery()", false],
    ["isIP('127.0.0.1')", true],
    ["isIP('127.0.0.01')", false],
    ["isIP('127.0.0.256')", false],
    ["isIP('127.0.0.1.')", false],
    ["isIP(':::1')", false],
    ["isIP('::ffff:1.2.3.4')", false],
    ["isIP('fe80::1%eth0')", false],
    ["string(ip('2001:0DB8:0:0::1'))", "2001:db8::1"],
    ["ip('::1').family()", 6n],
    ["ip('1.2.3.4').family()", 4n],
    // Zones.
    ["timestamp('2000-01-01T00:00:00Z').getHours('America/Chicago')", 18n],
    ["timestamp('2000-01-01T00:00:00Z').getFullYear('America/Chicago')", 1999n],
    ["timestamp('2000-07-01T00:00:00Z').getHours('Europe/Berlin')", 2n],
    ["timestamp('2000-01-01T00:00:00Z').getHours()", 0n],
    ["timestamp('2000-01-01T00:00:00Z').getHours('europe/berlin')", "error: unknown time zone europe/berlin"],
    ["timestamp('2000-01-01T00:00:00Z').getHours('Nowhere')", "error: unknown time zone Nowhere"],
    // An error is no answer, but a true beside it is one.
    ["url('::').getHost() == '' || true", true],
    ["url('::').getHost() == ''", "error: URL parse error during conversion from string"],
    ["[1, 2].exists(x, x > 1) && ['a'].all(s, s.size() == 1)", true],
    ["optional.of('x').orValue('y')", "x"],
    // A method inside another's arguments is ours too.
    ["'b'.replace('b', ' A '.trim().lowerAscii())", "a"],
  ];

  it.each(cases)("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });

  it("sees absent fields, and nothing an object has from JavaScript", () => {
    const self = { a: "x", empty: {} };
    expect(evaluate("has(self.a)", { self })).toBe(true);
    expect(evaluate("has(self.b)", { self })).toBe(false);
    expect(
      evaluate("has(self.constructor) || has(self.toString) || 'hasOwnProperty' in self", { self }),
    ).toBe(false);
    expect(evaluate("self.?b.orValue('none')", { self })).toBe("none");
    expect(evaluate("self.b == 'x'", { self })).toMatch(/^error: /);
  });

  it("that is no CEL throws when it is compiled", () => {
    expect(() => compile("self.a ==")).toThrow();
    expect(() => compile("")).toThrow();
  });
});

/** Field values are a stranger's, and may be as long as the schema lets them: 2,048 letters, here more. */
describe("a pattern", () => {
  const long = 50_000;

  it.each([
    ["^(a+)+$", "a".repeat(long)],
    ["^(a|aa)*b$", "a".repeat(long)],
    ["(x+x+)+y", "x".repeat(2_000)],
    ["^([a-z]+)*[0-9]$", "a".repeat(long)],
  ])("%s ends, where JavaScript's would not in this life", (pattern, text) => {
    expect(evaluate("text.matches(pattern)", { text: `${text}!`, pattern })).toBe(false);
  });

  it.each(["(?<name>a)(?=b)", "(a)\\1", "a{2000}", "("])(
    "that RE2 does not have is an error: %s",
    (pattern) => {
      expect(evaluate("'a'.matches(pattern)", { pattern })).toMatch(/^error: /);
    },
  );
});
