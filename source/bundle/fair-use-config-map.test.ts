import { describe, expect, it } from "vitest";
import { parseFairUse } from "../fair-use.js";
import { fairUseConfigMap, fairUseKey } from "./fair-use-config-map.js";

const text = `hosts:
  z.example.gov: { maxRequests: 50 }
  a.example.gov: { maxRequests: 4 }
  192.0.2.7: { maxRequests: 2 }
  "[2001:db8::1]": { maxRequests: 3 }
default: { maxRequests: 5 }
`;

describe("fairUseConfigMap", () => {
  it("has a key a host and one for all others", () => {
    const { fairUse } = parseFairUse(text, "rules/fair-use.yaml");
    expect(fairUseConfigMap(fairUse!, "harvest")).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "harvest-fair-use",
        namespace: "harvest",
        labels: {
          "app.kubernetes.io/name": "harvest-fair-use",
          "app.kubernetes.io/managed-by": "harvestctl",
        },
      },
      data: {
        "192.0.2.7": "2",
        _default: "5",
        "_ipv6_2001-db8--1": "3",
        "a.example.gov": "4",
        "z.example.gov": "50",
      },
    });
  });

  it("has no default where the file has none", () => {
    expect(fairUseConfigMap({ hosts: new Map() })).toMatchObject({ data: {} });
  });

  it.each(["metadata.state.example.gov", "[::1]", "[::ffff:102:304]", "[2001:db8::ffff:1.2.3.4]"])(
    "%s becomes a key that a ConfigMap may have",
    (host) => {
      expect(fairUseKey(host)).toMatch(/^[-._a-zA-Z0-9]{1,253}$/);
    },
  );
});
