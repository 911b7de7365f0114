/** The part of SARIF 2.1.0 that is written here. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: "2.1.0";
  readonly runs: readonly SarifRun[];
}

export interface SarifRun {
  readonly tool: {
    readonly driver: {
      readonly name: string;
      readonly semanticVersion: string;
      readonly rules: readonly SarifRule[];
    };
  };
  readonly automationDetails: { readonly id: string };
  readonly columnKind: "utf16CodeUnits";
  readonly originalUriBaseIds: Readonly<Record<string, { readonly description: SarifText }>>;
  readonly invocations: readonly {
    readonly executionSuccessful: boolean;
    readonly toolExecutionNotifications?: readonly {
      readonly level: SarifLevel;
      readonly message: SarifText;
    }[];
  }[];
  readonly results: readonly SarifResult[];
}

export interface SarifRule {
  readonly id: string;
  readonly shortDescription: SarifText;
  readonly fullDescription: SarifText;
  readonly help: SarifText & { readonly markdown: string };
  readonly helpUri?: string;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: { readonly tags: readonly string[] };
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex?: number | undefined;
  readonly level: SarifLevel;
  readonly message: SarifText;
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      readonly region: {
        readonly startLine: number;
        readonly startColumn: number;
        readonly endLine: number;
        readonly endColumn: number;
      };
    };
  }[];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions?: readonly {
    readonly kind: "inSource" | "external";
    readonly status: "accepted";
    readonly justification: string;
  }[];
}

export type SarifLevel = "error" | "warning" | "note";

interface SarifText {
  readonly text: string;
}
