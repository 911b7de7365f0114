/** JSON Schema (draft 7) of the controller's configuration file, with its defaults. docs/operating.md explains each field. */
const name = {
  type: "string",
  maxLength: 253,
  pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
};
const names = { type: "array", maxItems: 500, uniqueItems: true, default: [], items: name };
const quantities = {
  type: "object",
  maxProperties: 16,
  additionalProperties: { type: "string", pattern: "^[0-9]+([.][0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$" },
};

function group(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  const base = { type: "object", additionalProperties: false, properties, required };
  return required.length > 0 ? base : { ...base, default: {} };
}

function whole(least: number, most: number, byDefault: number): object {
  return { type: "integer", minimum: least, maximum: most, default: byDefault };
}

const harvester = group(
  {
    image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$" },
    imagePullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
    imagePullSecrets: names,
    policyBundle: name,
    databaseSecret: { ...name, default: "harvest-database" },
    serviceAccount: { ...name, default: "harvest-pod" },
    contact: { type: "string", minLength: 1, maxLength: 256 },
    resources: group({
      requests: { ...quantities, default: { cpu: "100m", memory: "384Mi" } },
      limits: { ...quantities, default: { memory: "1Gi" } },
    }),
    priorityClassName: name,
    nodeSelector: {
      type: "object",
      default: {},
      maxProperties: 32,
      additionalProperties: { type: "string", maxLength: 63 },
    },
    databaseCidrs: {
      type: "array",
      default: [],
      maxItems: 64,
      items: { type: "string", pattern: "^[0-9a-fA-F.:]+/[0-9]{1,3}$" },
    },
    databasePort: whole(1, 65535, 5432),
  },
  ["image", "policyBundle"],
);

const drift = group({
  mode: { enum: ["revert", "warn", "off"], default: "revert" },
  deliveryManagers: {
    type: "array",
    default: [],
    maxItems: 64,
    items: { type: "string", minLength: 1, maxLength: 128 },
  },
});

const leaderElection = group({
  leaseName: { ...name, default: "harvest-controller" },
  leaseSeconds: whole(3, 600, 15),
  renewSeconds: whole(2, 600, 10),
  retrySeconds: whole(1, 600, 2),
});

const api = group({
  requestsPerSecond: { type: "number", minimum: 1, maximum: 1000, default: 50 },
  burst: whole(1, 10000, 100),
  silenceSeconds: whole(5, 3600, 150),
});

const text = { type: "string", minLength: 1, maxLength: 2048 };

const gitSync = {
  type: "object",
  additionalProperties: false,
  required: ["url", "namespaces"],
  properties: {
    url: text,
    branch: { type: "string", minLength: 1, maxLength: 256 },
    tag: { type: "string", minLength: 1, maxLength: 256 },
    commit: { type: "string", pattern: "^[0-9a-f]{40}$" },
    path: { ...text, default: "." },
    intervalSeconds: whole(10, 86400, 60),
    namespaces: { ...names, minItems: 1 },
    maxDeletePercent: whole(0, 100, 20),
    secretDirectory: text,
    allowedSignersFile: text,
    workDirectory: { ...text, default: "/var/run/harvest-git" },
  },
};

export const controllerConfigSchema = {
  type: "object",
  additionalProperties: false,
  required: ["harvester"],
  properties: {
    watchNamespaces: names,
    workers: whole(1, 64, 4),
    port: whole(0, 65535, 8080),
    freshIntervals: { type: "number", minimum: 1, maximum: 100, default: 2 },
    logLevel: { enum: ["debug", "info", "warn", "error"], default: "info" },
    harvester,
    drift,
    leaderElection,
    api,
    gitSync,
  },
};
