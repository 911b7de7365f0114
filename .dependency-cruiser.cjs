/**
 * Who may import whom (docs/decisions/0006). A rule's comment is its message: why, and what to do instead.
 * Each stage of the data path is a room; stages meet only in harvester/harvest.ts.
 */
const STAGES = "protocols|detect|gate|transform|report|fetch|persist";

/** An outside library has one home, so that it can be replaced by changing one folder. */
function home(library, folder, instead) {
  return {
    name: `home-of-${library.replace(/[@/]/g, "")}`,
    comment: `${library} is imported only in ${folder}, so that it can be replaced in one place. ${instead}`,
    severity: "error",
    from: { pathNot: [`^(${folder})`, "^(tests|bench)/", "\\.test\\.ts$"] },
    to: { path: `(^|node_modules/)${library}(/|$)` },
  };
}

/** Files matching `from` may import, of ours, only what `allowed` matches. */
function only(name, from, { allowed, why }) {
  return {
    name,
    comment: why,
    severity: "error",
    from: { path: from, pathNot: "\\.test\\.ts$" },
    to: { path: "^(source|harvester|controller|cli|tests|bench)/", pathNot: allowed },
  };
}

module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      comment:
        "A cycle (type imports included) means two files are one room with a wall through it: move the shared noun down, or join them.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphan-import",
      comment: "The import does not resolve: add the file, or the package to package.json.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-dev-dependency-in-product",
      comment:
        "The product runs with `npm ci --omit=dev`: make it a dependency, or keep the import in a test.",
      severity: "error",
      from: { path: "^(source|harvester|controller|cli)/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm-dev"] },
    },
    only("source-imports-nothing-of-ours", "^source/", {
      allowed: ["^source/"],
      why: "source/ is the vocabulary all programs share, below everything. Hand what it needs in as a parameter (LintContext).",
    }),
    only("nouns-import-only-source", "^harvester/(record|canonical|fault|http)\\.ts$", {
      allowed: ["^source/", "^harvester/(record|canonical|fault|http)\\.ts$"],
      why: "The nouns of a run know no stage. Move the type down here, or the function up into its stage.",
    }),
    only("xml-imports-only-nouns", "^harvester/xml/", {
      allowed: ["^harvester/(xml/|(record|canonical|fault|http)\\.ts$)"],
      why: "harvester/xml is the door to the XML engine and knows no stage.",
    }),
    ...["protocols", "detect", "gate", "transform", "report", "fetch"].map((stage) =>
      only(`stage-${stage}`, `^harvester/${stage}/`, {
        allowed: [
          "^source/",
          `^harvester/${stage}/`,
          "^harvester/(record|canonical|fault|http)\\.ts$",
          ...(stage === "fetch" || stage === "report" ? [] : ["^harvester/xml/"]),
        ],
        why: `Stages never import one another (${STAGES}): they meet in harvester/harvest.ts. Move the shared noun to harvester/record.ts, or hand the function in.`,
      }),
    ),
    only("stage-persist", "^harvester/persist/", {
      allowed: ["^source/", "^harvester/persist/", "^harvester/(record|canonical|fault|http)\\.ts$"],
      why: "persist/ knows what must survive, not how it was fetched or judged.",
    }),
    {
      name: "nobody-imports-programs",
      comment:
        "cli/ and tests/ are at the top: nothing below may need them. Move the function down into the stage it belongs to.",
      severity: "error",
      from: { path: "^(source|harvester|controller)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(cli|tests|bench)/" },
    },
    {
      name: "controller-does-not-harvest",
      comment: "The controller starts pods; it never harvests. What both need lives in source/.",
      severity: "error",
      from: { path: "^controller/" },
      to: { path: "^harvester/" },
    },
    only(
      "controller-nouns",
      "^controller/(object|resources|api|settings|names|run|clock|bounded-text)\\.ts$",
      {
        allowed: [
          "^source/",
          "^controller/(object|resources|api|settings|names|run|clock|bounded-text)\\.ts$",
        ],
        why: "The nouns of the loop know no room. Move the type down here, or the function up into its room.",
      },
    ),
    ...["render", "drift", "runs", "status"].map((room) =>
      only(`controller-${room}`, `^controller/${room}/`, {
        allowed: [
          "^source/",
          `^controller/${room}/`,
          "^controller/(object|resources|api|settings|names|run|clock|bounded-text)\\.ts$",
        ],
        why: "Decisions of the loop are rooms of their own and meet only in controller/plan.ts; they read no cluster.",
      }),
    ),
    ...["queue", "election", "events", "metrics", "health", "git-sync"].map((room) =>
      only(`controller-${room}`, `^controller/${room}/`, {
        allowed: [
          "^source/",
          `^controller/${room}/`,
          "^controller/(object|resources|api|settings|names|run|clock|bounded-text)\\.ts$",
        ],
        why: "A room of the loop knows the nouns alone; controller/start.ts and loop.ts put the rooms together. Hand the function in.",
      }),
    ),
    only("controller-cluster", "^controller/cluster/", {
      allowed: [
        "^source/",
        "^controller/(cluster/|(object|resources|api|settings|names|run|clock|bounded-text)\\.ts$)",
      ],
      why: "controller/cluster is the door to the API server and knows nothing of harvesting.",
    }),
    home("@kubernetes/client-node", "controller/cluster/", "Use the Api interface of controller/api.ts."),
    home("prom-client", "controller/metrics/", "Hand a value in; controller/metrics registers it."),
    home("yaml", "source/|cli/", "Parse manifests with source/parse.ts."),
    home("@marcbachmann/cel-js", "source/cel/", "Ask source/cel for the verdict of a rule."),
    home("@bufbuild/re2", "source/cel/", "Only patterns of the server's rules need RE2: ask source/cel."),
    home("ajv", "source/", "Ask source/ for a validated HarvestSource."),
    home(
      "undici",
      "harvester/fetch/|controller/cluster/",
      "Ask sources with harvester/fetch/client.ts and the API server with controller/cluster.",
    ),
    home("libxml2-wasm", "harvester/xml/", "Use the XML engine of harvester/xml."),
    home("pg", "harvester/persist/", "Use the Db interface of harvester/persist."),
    home("@electric-sql/pglite", "harvester/persist/", "Use the Db interface of harvester/persist."),
    home("diff", "cli/format/review/", "Show a difference of texts with cli/format/review/yaml-diff.ts."),
    home("@oclif/core", "cli/", "Programs below the command line return values; cli/ prints them."),
    home(
      "pino",
      "harvester/report/|controller/log\\.ts",
      "Hand a log in (harvester/report/log.ts, controller/log.ts).",
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^dist/|\\.generated\\.|\\.venv/)" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "types"] },
  },
};
