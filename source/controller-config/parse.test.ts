import { describe, expect, it } from "vitest";
import { parseControllerConfig } from "./parse.js";

const least =
  "harvester: { image: registry.example.org/harvest@sha256:aa, policyBundle: harvest-policy-1 }\n";

describe("the controller's configuration", () => {
  it("fills every default in", () => {
    const { config, findings } = parseControllerConfig(least, "controller.yaml");
    expect(findings).toEqual([]);
    expect(config).toEqual({
      watchNamespaces: [],
      workers: 4,
      port: 8080,
      freshIntervals: 2,
      logLevel: "info",
      harvester: {
        image: "registry.example.org/harvest@sha256:aa",
        policyBundle: "harvest-policy-1",
        imagePullSecrets: [],
        databaseSecret: "harvest-database",
        serviceAccount: "harvest-pod",
        resources: { requests: { cpu: "100m", memory: "384Mi" }, limits: { memory: "1Gi" } },
        nodeSelector: {},
        databaseCidrs: [],
        databasePort: 5432,
      },
      drift: { mode: "revert", deliveryManagers: [] },
      leaderElection: {
        leaseName: "harvest-controller",
        leaseSeconds: 15,
        renewSeconds: 10,
        retrySeconds: 2,
      },
      api: { requestsPerSecond: 50, burst: 100, silenceSeconds: 150 },
    });
  });

  it("keeps the Git sync off unless it is asked for", () => {
    const text = `${least}gitSync: { url: https://git.example.org/policy.git, branch: main, namespaces: [geo] }\n`;
    expect(parseControllerConfig(least, "c.yaml").config?.gitSync).toBeUndefined();
    expect(parseControllerConfig(text, "c.yaml").config?.gitSync).toEqual({
      url: "https://git.example.org/policy.git",
      branch: "main",
      path: ".",
      intervalSeconds: 60,
      namespaces: ["geo"],
      maxDeletePercent: 20,
      workDirectory: "/var/run/harvest-git",
    });
  });

  it.each([
    ["no harvester", "workers: 2\n", "1:1 The file must have required property 'harvester'."],
    ["a typo", `${least}worker: 2\n`, "2:1 There is no field worker. Did you mean workers?"],
    [
      "a nested typo",
      `${least}drift: { mod: warn }\n`,
      "2:10 There is no field drift.mod. Did you mean mode?",
    ],
    [
      "a word that is none",
      `${least}drift: { mode: fix }\n`,
      "2:16 drift.mode must be equal to one of the allowed values.",
    ],
    [
      "a lease shorter than its renewal",
      `${least}leaderElection: { leaseSeconds: 5 }\n`,
      "2:1 leaderElection needs leaseSeconds (5) > renewSeconds (10) > 1.2 × retrySeconds (2), or two could lead at once.",
    ],
    [
      "two references",
      `${least}gitSync: { url: u, namespaces: [a], branch: main, tag: v1 }\n`,
      "2:1 gitSync needs exactly one of branch, tag and commit.",
    ],
    ["two documents", `${least}---\n${least}`, "1:1 The file has 2 YAML documents, not one."],
  ])("refuses %s", (_name, text, said) => {
    const { config, findings } = parseControllerConfig(text, "controller.yaml");
    expect(config).toBeUndefined();
    const [first] = findings;
    expect(`${String(first?.place.line)}:${String(first?.place.column)} ${String(first?.sentence)}`).toBe(
      said,
    );
  });
});
