import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { houseRules } from "./lint/house-rules.js";

/** Decisions: everything they need is a parameter, so that their tests are tables. */
const pureFiles = [
  "source/**/*.ts",
  "harvester/record.ts",
  "harvester/canonical.ts",
  "harvester/protocols/**/*.ts",
  "harvester/detect/**/*.ts",
  "harvester/transform/**/*.ts",
  "harvester/gate/schematron/**/*.ts",
  "harvester/fetch/retry.ts",
  "harvester/fetch/retry-after.ts",
  "harvester/fetch/breaker.ts",
  "harvester/report/summary.ts",
  "cli/format/**/*.ts",
  "controller/object.ts",
  "controller/names.ts",
  "controller/render/**/*.ts",
  "controller/drift/**/*.ts",
  "controller/runs/**/*.ts",
  "controller/status/**/*.ts",
  "controller/plan.ts",
  "controller/plan/**/*.ts",
];

const hotAddress = {
  object: "URL",
  property: "canParse",
  message:
    "In Node 20 it answers wrongly once it is optimised (Latin-1 text): use parseAddress or isAddress of source/address.ts.",
};

export default tseslint.config(
  {
    ignores: ["dist/", "node_modules/", "**/*.generated.ts", "bench/node_modules/", ".harvest/", "**/.venv/"],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    plugins: { house: houseRules },
    rules: {
      complexity: ["error", { max: 10, variant: "modified" }],
      "max-depth": ["error", 3],
      "max-params": ["error", 3],
      "max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
      "func-style": ["error", "declaration", { allowTypeAnnotation: true }],
      "no-console": "error",
      "no-restricted-properties": ["error", hotAddress],
      eqeqeq: "error",
      "house/file-name": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "TSEnumDeclaration",
          message:
            "An enum is code, not data: write a union of string literals (and a const list if it is walked).",
        },
        {
          selector: "ExportDefaultDeclaration",
          message: "A default export has a different name in every importer: export the name itself.",
        },
      ],
    },
  },
  {
    files: pureFiles,
    // The generator is a program that writes files; it lives beside what it makes.
    ignores: ["**/*.test.ts", "source/generate/generate.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        {
          name: "process",
          message: "A decision reads no environment: hand the value in from main.ts or the command.",
        },
        {
          name: "fetch",
          message: "A decision sends nothing: build a request and let harvester/fetch send it.",
        },
        {
          name: "setTimeout",
          message: "A decision does not wait: return how long to wait and let the caller do it.",
        },
      ],
      "no-restricted-properties": [
        "error",
        hotAddress,
        { object: "Date", property: "now", message: "A decision has no clock: take `now` as a parameter." },
        {
          object: "Math",
          property: "random",
          message: "A decision rolls no dice: take the random number as a parameter.",
        },
      ],
      "house/no-clock": "error",
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(node:)?(fs|http|https|net|tls|dns|child_process|worker_threads|os)(/.*)?$",
              message: "A pure folder touches neither disk nor network: have the data handed in.",
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      "cli/commands/**/*.ts",
      "cli/hooks/*.ts",
      "*.config.ts",
      "eslint.config.js",
      "tests/setup/**/*.ts",
    ],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["**/*.test.ts", "tests/**/*.ts", "bench/**/*.ts"],
    rules: {
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": "off",
      "func-style": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
    },
  },
  {
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", URL: "readonly", module: "writable" },
    },
  },
);
