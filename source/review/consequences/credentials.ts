import type { HarvestSource } from "../../harvest-source.generated.js";
import type { Consequence } from "../consequence.js";
import { list, valueText } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";
import { certificateOf } from "./transport.js";

interface Secret {
  readonly field: string;
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Which secrets a source uses: their names, never their values. */
export const credentials: ConsequenceRule = eachChanged((compared) => {
  const { change } = compared;
  const differing = secrets(compared).filter(({ before, after }) => before !== after);
  const [first] = differing;
  if (first === undefined) return [];
  const wanted = differing.flatMap(({ after }) => after ?? []);
  const consequence: Consequence = tell(compared, ["spec", "transport", first.field], {
    id: "credentials-changed",
    sentence: `${change.key} takes ${list(differing.map(secretText))}.`,
    ...(wanted.length === 0 ? {} : { remedy: `Put ${list(wanted)} into its namespace before merging.` }),
  });
  return [consequence];
});

function secrets({ change, before, after }: Compared): readonly Secret[] {
  return [
    certificate(change.base.source, change.head.source),
    {
      field: "caSecretName",
      what: "the authority",
      before: nameText(before.transport.caSecretName),
      after: nameText(after.transport.caSecretName),
    },
    {
      field: "headersSecretName",
      what: "the headers",
      before: nameText(before.transport.headersSecretName),
      after: nameText(after.transport.headersSecretName),
    },
  ];
}

/** Only while a certificate is shown before and after: switching it on or off is told by its own kinds. */
function certificate(base: HarvestSource, head: HarvestSource): Secret {
  const shown = base.spec.transport.mtls && head.spec.transport.mtls;
  return {
    field: "clientCertificate",
    what: "the client certificate",
    before: shown ? certificateOf(base) : undefined,
    after: shown ? certificateOf(head) : undefined,
  };
}

function nameText(name: string | undefined): string | undefined {
  return name === undefined ? undefined : valueText(name);
}

function secretText({ what, before, after }: Secret): string {
  if (after === undefined) return `${what} from no secret instead of ${before ?? "none"}`;
  return `${what} from secret ${after} instead of ${before ?? "none"}`;
}
