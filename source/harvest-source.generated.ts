/** Generated from crds/ingest.geoportal.io_harvestsources.yaml by `npm run generate`. Do not edit. */

/** A manifest after its defaults were filled in: fields with a default are always there. */
export interface HarvestSource {
  readonly apiVersion: "ingest.geoportal.io/v1";
  readonly kind: "HarvestSource";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: HarvestSourceSpec;
}

/** What is asked for. Changed only by a reviewed commit. */
export interface HarvestSourceSpec {
  /** How the source is asked. Default oai-pmh. */
  readonly protocol: "oai-pmh";
  /** Address of the repository, http or https. A query in it is kept with every request. */
  readonly baseUrl: string;
  /** OAI sets to harvest, each with a cursor of its own. Absent = the whole repository. */
  readonly sets?: readonly string[];
  /** Metadata format to ask for. There must be a transform for it. */
  readonly metadataPrefix: string;
  /**
   * When to harvest: five-field cron, @hourly, @daily, @weekly, @monthly, @yearly or @every <duration>, read
   * in timeZone.
   */
  readonly schedule: string;
  /** IANA time zone in which the schedule is read. Default Etc/UTC. */
  readonly timeZone: string;
  /**
   * Width in minutes of the window over which sources with the same schedule are spread; each has a stable
   * offset in it. Default 0.
   */
  readonly scheduleSpreadMinutes: number;
  /** Reviewed pause. True = not harvested. Default false. */
  readonly suspend: boolean;
  /** How much is asked for. */
  readonly delta: {
    /**
     * from-cursor = what changed since the watermark; snapshot = all headers, then what changed; full =
     * everything, every run. Default from-cursor.
     */
    readonly mode: "from-cursor" | "snapshot" | "full";
    /**
     * Seconds before the watermark that are asked for again, to absorb clocks that differ and records that
     * appear late. Default 300.
     */
    readonly overlapSeconds: number;
    /**
     * Longest window of one list request in days; a longer gap is caught up in shards of this size. Absent =
     * one window.
     */
    readonly maxWindowDays?: number;
  };
  /** When records leave the catalogue. */
  readonly deletions: {
    /**
     * auto = as the source says it announces deletions; tombstones = only announced ones; snapshot = what a
     * complete list no longer holds; ignore = never. Default auto.
     */
    readonly policy: "auto" | "tombstones" | "snapshot" | "ignore";
    /**
     * Removal guard: a sweep that would withdraw more than this share of the source's records, in percent,
     * withdraws nothing and waits for a human. Default 10.
     */
    readonly maxPercent: number;
    /** Removal guard: up to this many withdrawals pass whatever their share. Default 20. */
    readonly minRecords: number;
    /**
     * Hours between two sweeps (complete identifier lists) of a source that does not announce deletions. 0 =
     * every run. Default 24.
     */
    readonly sweepIntervalHours: number;
    /** What happens to the records when this manifest is removed. Default keep. */
    readonly onSourceRemoval: "keep" | "withdraw";
  };
  /** How hard the source may be asked. */
  readonly concurrency: {
    /**
     * Requests in flight at once. Summed over the sources of one host it must stay under the ceiling in
     * rules/fair-use.yaml. Default 1.
     */
    readonly maxRequests: number;
    /** Most requests started in a second. Absent = no limit but maxRequests. */
    readonly requestsPerSecond?: number;
    /** Wait as long as the source asks for with Retry-After, also across runs. Default true. */
    readonly respectRetryAfter: boolean;
  };
  /** Waiting between attempts of a failed request. */
  readonly backoff: {
    /** Wait before the second attempt, in milliseconds; doubled for each further one. Default 1000. */
    readonly initialMs: number;
    /** Longest wait between two attempts, in milliseconds. Retry-After is not cut by it. Default 60000. */
    readonly maxMs: number;
    /** full = a random wait between nothing and the computed one. Default full. */
    readonly jitter: "full" | "none";
    /** Attempts of one request, the first included. Default 5. */
    readonly maxAttempts: number;
  };
  /** Resumption tokens. */
  readonly token: {
    /**
     * Seconds for which a stored token may be resumed after a crash; later the window is asked anew. Default
     * 900.
     */
    readonly cacheTtlSeconds: number;
    /**
     * Send metadataPrefix beside the token, against OAI-PMH, for servers that insist on it. Default false.
     */
    readonly alsoSendPrefix: boolean;
  };
  /** The gates a record passes before it is stored. Paths are relative to the policy root. */
  readonly validation: {
    /** XML schema, or several of them, chosen by the namespace of the record. A path or a list of paths. */
    readonly xsd?: string | readonly string[];
    /** Schematron rule set, or several of them, all applied. A path or a list of paths. */
    readonly schematron?: string | readonly string[];
    /** Schematron phase to run. Absent = the default phase of the rule set. */
    readonly phase?: string;
    /**
     * quarantine = a refused record is put aside and the run goes on; fail = the run stops before its
     * watermark. Default quarantine.
     */
    readonly onFailure: "quarantine" | "fail";
  };
  /** The connection to the source. */
  readonly transport: {
    /** Present a client certificate. Default false. */
    readonly mtls: boolean;
    /** Where the client certificate lies. */
    readonly clientCertificate?: {
      /** Secret with tls.crt and tls.key. Absent = <name>-client-cert. */
      readonly secretName?: string;
    };
    /** Secret with ca.crt, the authority that signed the source's certificate. Absent = the public ones. */
    readonly caSecretName?: string;
    /** Oldest TLS version spoken. Default 1.3. */
    readonly minTlsVersion: "1.2" | "1.3";
    /** HTTP proxy all requests go through. */
    readonly proxyUrl?: string;
    /** Secret whose keys and values are sent as request headers, e.g. Authorization. */
    readonly headersSecretName?: string;
    /** Allow private, loopback and link-local addresses. Default false. */
    readonly allowPrivateNetwork: boolean;
    /** Origins a redirect may lead to besides the source's own. Credentials never travel there. */
    readonly allowedRedirectOrigins?: readonly string[];
    /** How long to wait. */
    readonly timeouts: {
      /** Seconds until the connection stands, TLS included. Default 10. */
      readonly connectSeconds: number;
      /**
       * Seconds from the request to the first byte of the answer. Slow repositories need more than 30.
       * Default 120.
       */
      readonly firstByteSeconds: number;
      /** Seconds without a single byte in the middle of an answer. Default 60. */
      readonly idleSeconds: number;
      /** Seconds for the whole request, however steadily bytes arrive. Default 900. */
      readonly requestSeconds: number;
    };
  };
  /** What is too much. */
  readonly limits: {
    /** Bytes of one record after decompression; a bigger one is quarantined. Default 10485760. */
    readonly maxRecordBytes: number;
    /** Bytes of one answer after decompression; a bigger one ends the request. Default 268435456. */
    readonly maxPageBytes: number;
    /** Seconds for one run; then it stops at a batch boundary and keeps what it has. Default 21600. */
    readonly maxRunSeconds: number;
  };
}

/** What the controller saw. Written by the controller alone. */
export interface HarvestSourceStatus {
  /** The metadata.generation this status speaks of; -1 = not looked at yet. */
  readonly observedGeneration?: number;
  /**
   * Ready = accepted and scheduled; Reconciling and Stalled stand here only while true; LastRunSucceeded,
   * Fresh, Drifted, Paused.
   */
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: "True" | "False" | "Unknown";
    readonly reason: string;
    readonly message: string;
    readonly lastTransitionTime: string;
    readonly observedGeneration?: number;
  }[];
  /** The state in one word, for the Status column. */
  readonly summary?: string;
  /** Everything up to here is committed. */
  readonly watermark?: string;
  /** The last run that ended. */
  readonly lastRun?: {
    readonly runId?: string;
    /** Its Job in this namespace. */
    readonly jobName?: string;
    /** Exit code of its pod (docs/exit-codes.md); absent when the pod vanished. */
    readonly exitCode?: number;
    /** Reason code of an end that was not complete. */
    readonly code?: string;
    /** What to do next. */
    readonly remedy?: string;
    /** When it began. */
    readonly startTime?: string;
    /** When it ended. */
    readonly endTime?: string;
    readonly outcome?: "complete" | "partial" | "failed" | "refused" | "interrupted";
    /** Why it ended so, for people. */
    readonly message?: string;
    readonly counts?: {
      /** Records read. */
      readonly read?: number;
      /** Records new. */
      readonly inserted?: number;
      /** Records changed. */
      readonly updated?: number;
      /** Records withdrawn. */
      readonly withdrawn?: number;
      /** Records unchanged. */
      readonly unchanged?: number;
      /** Records refused by a gate. */
      readonly quarantined?: number;
    };
  };
  /** When the last complete run ended. */
  readonly lastSuccessTime?: string;
  /** When the next run is due. */
  readonly nextRunTime?: string;
  /** Records of this source in the catalogue. */
  readonly records?: number;
  /** Records of this source in quarantine. */
  readonly quarantined?: number;
  /** Runs since the last complete one. */
  readonly consecutiveFailures?: number;
  /** Digest of the schemas and rules the last run used. */
  readonly policyDigest?: string;
  /** The policy bundle the next run will use. */
  readonly policyBundle?: {
    /** Its ConfigMap in this namespace. */
    readonly name?: string;
    /** SHA-256 of its files, in hex. */
    readonly digest?: string;
  };
  /** The schedule as it stands in the CronJob, the stable offset of scheduleSpreadMinutes included. */
  readonly installedSchedule?: string;
  /** Minutes this source starts later than written, because of scheduleSpreadMinutes. */
  readonly scheduleOffsetMinutes?: number;
  /** No request to the source before this time: it asked for quiet, or its breaker is open. */
  readonly notBefore?: string;
  /** Pods harvesting it now. */
  readonly activeRuns?: number;
  /** The value of the annotation ingest.geoportal.io/requestedAt that was acted on last. */
  readonly lastHandledRequestedAt?: string;
  /** Who delivered the spec last, as far as it can be told. */
  readonly delivery?: {
    /** Field manager of the delivery. */
    readonly manager?: string;
    /** What kind of delivery it is. */
    readonly engine?: "flux" | "argocd" | "git-sync" | "annotation" | "managers";
    /** Git revision, where the delivery told it. */
    readonly revision?: string;
    /** Hash of the delivered spec with its defaults, sha256:<hex>. */
    readonly contentHash?: string;
    /** Where the delivered spec is kept, to compare with and to go back to. */
    readonly configMapName?: string;
  };
  /** How spec differs from what was delivered. Stands here only while it does. */
  readonly drift?: {
    /** Field manager that changed it. */
    readonly manager?: string;
    /** When. */
    readonly time?: string;
    /** When the controller first saw it. */
    readonly since?: string;
    /** What differs. */
    readonly fields?: readonly {
      /** Path in the manifest. */
      readonly field: string;
      /** Its value as delivered, in JSON; absent = not there. */
      readonly delivered?: string;
      /** Its value now, in JSON; absent = not there. */
      readonly live?: string;
    }[];
    /** How many more differ. */
    readonly moreFields?: number;
  };
}

/** JSON Schema (draft 7) of a manifest, with its defaults; compiled by source/schema/validate.ts. */
export const harvestSourceSchema = {
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "HarvestSource",
  "type": "object",
  "required": ["apiVersion", "kind", "metadata", "spec"],
  "additionalProperties": false,
  "properties": {
    "apiVersion": {
      "type": "string",
      "enum": ["ingest.geoportal.io/v1"]
    },
    "kind": {
      "type": "string",
      "enum": ["HarvestSource"]
    },
    "metadata": {
      "type": "object",
      "required": ["name"],
      "additionalProperties": false,
      "properties": {
        "name": {
          "type": "string",
          "minLength": 1,
          "maxLength": 253,
          "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
        },
        "namespace": {
          "type": "string",
          "maxLength": 63,
          "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"
        },
        "labels": {
          "type": "object",
          "maxProperties": 256,
          "propertyNames": {
            "maxLength": 317,
            "pattern": "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
          },
          "additionalProperties": {
            "type": "string",
            "maxLength": 63,
            "pattern": "^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$"
          }
        },
        "annotations": {
          "type": "object",
          "maxProperties": 256,
          "propertyNames": {
            "maxLength": 317,
            "pattern": "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
          },
          "additionalProperties": {
            "type": "string",
            "maxLength": 262144
          }
        },
        "generateName": {},
        "finalizers": {},
        "ownerReferences": {},
        "uid": {},
        "resourceVersion": {},
        "generation": {},
        "creationTimestamp": {},
        "deletionTimestamp": {},
        "deletionGracePeriodSeconds": {},
        "managedFields": {},
        "selfLink": {}
      }
    },
    "spec": {
      "type": "object",
      "description": "What is asked for. Changed only by a reviewed commit.",
      "required": ["baseUrl", "metadataPrefix", "schedule"],
      "additionalProperties": false,
      "properties": {
        "protocol": {
          "type": "string",
          "description": "How the source is asked.",
          "enum": ["oai-pmh"],
          "default": "oai-pmh"
        },
        "baseUrl": {
          "type": "string",
          "description": "Address of the repository, http or https. A query in it is kept with every request.",
          "minLength": 1,
          "maxLength": 2048
        },
        "sets": {
          "type": "array",
          "description": "OAI sets to harvest, each with a cursor of its own. Absent = the whole repository.",
          "minItems": 1,
          "maxItems": 256,
          "uniqueItems": true,
          "items": {
            "type": "string",
            "pattern": "^\\S+$",
            "minLength": 1,
            "maxLength": 256
          }
        },
        "metadataPrefix": {
          "type": "string",
          "description": "Metadata format to ask for. There must be a transform for it.",
          "pattern": "^[A-Za-z0-9_.!~*'()-]+$",
          "minLength": 1,
          "maxLength": 64
        },
        "schedule": {
          "type": "string",
          "description": "When to harvest: five-field cron, @hourly, @daily, @weekly, @monthly, @yearly or @every <duration>, read in timeZone.",
          "minLength": 1,
          "maxLength": 128
        },
        "timeZone": {
          "type": "string",
          "description": "IANA time zone in which the schedule is read.",
          "default": "Etc/UTC",
          "minLength": 1,
          "maxLength": 64
        },
        "scheduleSpreadMinutes": {
          "type": "integer",
          "description": "Width in minutes of the window over which sources with the same schedule are spread; each has a stable offset in it.",
          "default": 0,
          "minimum": 0,
          "maximum": 720
        },
        "suspend": {
          "type": "boolean",
          "description": "Reviewed pause. True = not harvested.",
          "default": false
        },
        "delta": {
          "type": "object",
          "description": "How much is asked for.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "mode": {
              "type": "string",
              "description": "from-cursor = what changed since the watermark; snapshot = all headers, then what changed; full = everything, every run.",
              "enum": ["from-cursor", "snapshot", "full"],
              "default": "from-cursor"
            },
            "overlapSeconds": {
              "type": "integer",
              "description": "Seconds before the watermark that are asked for again, to absorb clocks that differ and records that appear late.",
              "default": 300,
              "minimum": 0,
              "maximum": 2678400
            },
            "maxWindowDays": {
              "type": "integer",
              "description": "Longest window of one list request in days; a longer gap is caught up in shards of this size. Absent = one window.",
              "minimum": 1,
              "maximum": 36500
            }
          }
        },
        "deletions": {
          "type": "object",
          "description": "When records leave the catalogue.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "policy": {
              "type": "string",
              "description": "auto = as the source says it announces deletions; tombstones = only announced ones; snapshot = what a complete list no longer holds; ignore = never.",
              "enum": ["auto", "tombstones", "snapshot", "ignore"],
              "default": "auto"
            },
            "maxPercent": {
              "type": "integer",
              "description": "Removal guard: a sweep that would withdraw more than this share of the source's records, in percent, withdraws nothing and waits for a human.",
              "default": 10,
              "minimum": 0,
              "maximum": 100
            },
            "minRecords": {
              "type": "integer",
              "description": "Removal guard: up to this many withdrawals pass whatever their share.",
              "default": 20,
              "minimum": 0,
              "maximum": 1000000
            },
            "sweepIntervalHours": {
              "type": "integer",
              "description": "Hours between two sweeps (complete identifier lists) of a source that does not announce deletions. 0 = every run.",
              "default": 24,
              "minimum": 0,
              "maximum": 8760
            },
            "onSourceRemoval": {
              "type": "string",
              "description": "What happens to the records when this manifest is removed.",
              "enum": ["keep", "withdraw"],
              "default": "keep"
            }
          }
        },
        "concurrency": {
          "type": "object",
          "description": "How hard the source may be asked.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "maxRequests": {
              "type": "integer",
              "description": "Requests in flight at once. Summed over the sources of one host it must stay under the ceiling in rules/fair-use.yaml.",
              "default": 1,
              "minimum": 1,
              "maximum": 256
            },
            "requestsPerSecond": {
              "type": "number",
              "description": "Most requests started in a second. Absent = no limit but maxRequests.",
              "minimum": 0.001,
              "maximum": 1000
            },
            "respectRetryAfter": {
              "type": "boolean",
              "description": "Wait as long as the source asks for with Retry-After, also across runs.",
              "default": true
            }
          }
        },
        "backoff": {
          "type": "object",
          "description": "Waiting between attempts of a failed request.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "initialMs": {
              "type": "integer",
              "description": "Wait before the second attempt, in milliseconds; doubled for each further one.",
              "default": 1000,
              "minimum": 1,
              "maximum": 3600000
            },
            "maxMs": {
              "type": "integer",
              "description": "Longest wait between two attempts, in milliseconds. Retry-After is not cut by it.",
              "default": 60000,
              "minimum": 1,
              "maximum": 3600000
            },
            "jitter": {
              "type": "string",
              "description": "full = a random wait between nothing and the computed one.",
              "enum": ["full", "none"],
              "default": "full"
            },
            "maxAttempts": {
              "type": "integer",
              "description": "Attempts of one request, the first included.",
              "default": 5,
              "minimum": 1,
              "maximum": 20
            }
          }
        },
        "token": {
          "type": "object",
          "description": "Resumption tokens.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "cacheTtlSeconds": {
              "type": "integer",
              "description": "Seconds for which a stored token may be resumed after a crash; later the window is asked anew.",
              "default": 900,
              "minimum": 0,
              "maximum": 86400
            },
            "alsoSendPrefix": {
              "type": "boolean",
              "description": "Send metadataPrefix beside the token, against OAI-PMH, for servers that insist on it.",
              "default": false
            }
          }
        },
        "validation": {
          "type": "object",
          "description": "The gates a record passes before it is stored. Paths are relative to the policy root.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "xsd": {
              "description": "XML schema, or several of them, chosen by the namespace of the record. A path or a list of paths.",
              "if": {
                "type": "array"
              },
              "then": {
                "minItems": 1,
                "maxItems": 16,
                "items": {
                  "type": "string",
                  "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
                  "minLength": 1,
                  "maxLength": 256
                }
              },
              "else": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
                "minLength": 1,
                "maxLength": 256
              }
            },
            "schematron": {
              "description": "Schematron rule set, or several of them, all applied. A path or a list of paths.",
              "if": {
                "type": "array"
              },
              "then": {
                "minItems": 1,
                "maxItems": 16,
                "items": {
                  "type": "string",
                  "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
                  "minLength": 1,
                  "maxLength": 256
                }
              },
              "else": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$",
                "minLength": 1,
                "maxLength": 256
              }
            },
            "phase": {
              "type": "string",
              "description": "Schematron phase to run. Absent = the default phase of the rule set.",
              "pattern": "^[A-Za-z_#][A-Za-z0-9_.-]*$",
              "minLength": 1,
              "maxLength": 128
            },
            "onFailure": {
              "type": "string",
              "description": "quarantine = a refused record is put aside and the run goes on; fail = the run stops before its watermark.",
              "enum": ["quarantine", "fail"],
              "default": "quarantine"
            }
          }
        },
        "transport": {
          "type": "object",
          "description": "The connection to the source.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "mtls": {
              "type": "boolean",
              "description": "Present a client certificate.",
              "default": false
            },
            "clientCertificate": {
              "type": "object",
              "description": "Where the client certificate lies.",
              "additionalProperties": false,
              "properties": {
                "secretName": {
                  "type": "string",
                  "description": "Secret with tls.crt and tls.key. Absent = <name>-client-cert.",
                  "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
                  "minLength": 1,
                  "maxLength": 253
                }
              }
            },
            "caSecretName": {
              "type": "string",
              "description": "Secret with ca.crt, the authority that signed the source's certificate. Absent = the public ones.",
              "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
              "minLength": 1,
              "maxLength": 253
            },
            "minTlsVersion": {
              "type": "string",
              "description": "Oldest TLS version spoken.",
              "enum": ["1.2", "1.3"],
              "default": "1.3"
            },
            "proxyUrl": {
              "type": "string",
              "description": "HTTP proxy all requests go through.",
              "minLength": 1,
              "maxLength": 2048
            },
            "headersSecretName": {
              "type": "string",
              "description": "Secret whose keys and values are sent as request headers, e.g. Authorization.",
              "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
              "minLength": 1,
              "maxLength": 253
            },
            "allowPrivateNetwork": {
              "type": "boolean",
              "description": "Allow private, loopback and link-local addresses.",
              "default": false
            },
            "allowedRedirectOrigins": {
              "type": "array",
              "description": "Origins a redirect may lead to besides the source's own. Credentials never travel there.",
              "minItems": 1,
              "maxItems": 16,
              "uniqueItems": true,
              "items": {
                "type": "string",
                "pattern": "^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$",
                "minLength": 1,
                "maxLength": 300
              }
            },
            "timeouts": {
              "type": "object",
              "description": "How long to wait.",
              "default": {},
              "additionalProperties": false,
              "properties": {
                "connectSeconds": {
                  "type": "integer",
                  "description": "Seconds until the connection stands, TLS included.",
                  "default": 10,
                  "minimum": 1,
                  "maximum": 300
                },
                "firstByteSeconds": {
                  "type": "integer",
                  "description": "Seconds from the request to the first byte of the answer. Slow repositories need more than 30.",
                  "default": 120,
                  "minimum": 1,
                  "maximum": 3600
                },
                "idleSeconds": {
                  "type": "integer",
                  "description": "Seconds without a single byte in the middle of an answer.",
                  "default": 60,
                  "minimum": 1,
                  "maximum": 3600
                },
                "requestSeconds": {
                  "type": "integer",
                  "description": "Seconds for the whole request, however steadily bytes arrive.",
                  "default": 900,
                  "minimum": 1,
                  "maximum": 86400
                }
              }
            }
          }
        },
        "limits": {
          "type": "object",
          "description": "What is too much.",
          "default": {},
          "additionalProperties": false,
          "properties": {
            "maxRecordBytes": {
              "type": "integer",
              "description": "Bytes of one record after decompression; a bigger one is quarantined.",
              "default": 10485760,
              "minimum": 1024,
              "maximum": 134217728
            },
            "maxPageBytes": {
              "type": "integer",
              "description": "Bytes of one answer after decompression; a bigger one ends the request.",
              "default": 268435456,
              "minimum": 1024,
              "maximum": 2147483648
            },
            "maxRunSeconds": {
              "type": "integer",
              "description": "Seconds for one run; then it stops at a batch boundary and keeps what it has.",
              "default": 21600,
              "minimum": 10,
              "maximum": 604800
            }
          }
        }
      }
    },
    "status": {
      "type": "object"
    }
  }
};
