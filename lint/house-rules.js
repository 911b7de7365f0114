/** House rules that no published plug-in states the way we mean them. Their test is tests/house/lint-rules.test.ts. */

const BANNED_NAMES = new Set(["utils", "util", "helpers", "helper", "common", "manager", "misc", "shared"]);

const fileName = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      kebab: "'{{name}}' is not kebab-case: a file is named like its main export, words joined by '-'.",
      vague: "'{{name}}' says nothing about what is inside: name the file after what it knows.",
    },
  },
  create(context) {
    return {
      Program(node) {
        const base = context.filename.split("/").pop() ?? "";
        const stem = base.replace(/\.[cm]?[jt]s$/, "").replace(/\.(test|generated|config)$/, "");
        if (!/^\.?[a-z0-9]+([.-][a-z0-9]+)*$/.test(stem))
          context.report({ node, messageId: "kebab", data: { name: base } });
        if (BANNED_NAMES.has(stem)) context.report({ node, messageId: "vague", data: { name: base } });
      },
    };
  },
};

const noClock = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      clock: "`new Date()` reads the clock: take `now` as a parameter, so that the test can be a table.",
    },
  },
  create(context) {
    return {
      "NewExpression[callee.name='Date'][arguments.length=0]"(node) {
        context.report({ node, messageId: "clock" });
      },
    };
  },
};

export const houseRules = { rules: { "file-name": fileName, "no-clock": noClock } };
