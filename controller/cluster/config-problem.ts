/** Something about the connection's own configuration that a person must put right: kubeconfig, plugin, certificate file. */
export type ConfigProblemCode =
  | "NoKubeconfig"
  | "KubeconfigUnreadable"
  | "KubeconfigInvalid"
  | "ContextMissing"
  | "ClusterMissing"
  | "UserMissing"
  | "ServerInvalid"
  | "FileUnreadable"
  | "CertificateInvalid"
  | "PluginFailed"
  | "ProxyInvalid"
  | "Closed";

export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly code: ConfigProblemCode;
  /** What is wrong and where; never a secret. */
  readonly sentence: string;
  /** What to do about it. */
  readonly remedy: string;

  constructor(code: ConfigProblemCode, told: { readonly sentence: string; readonly remedy: string }) {
    super(`${told.sentence} ${told.remedy}`);
    this.code = code;
    this.sentence = told.sentence;
    this.remedy = told.remedy;
  }
}
