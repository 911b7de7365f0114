/** Generated from crds/ingest.geoportal.io_harvestsources.yaml and manifests/install/components/admission by `npm run generate`. Do not edit. */
import type { AdmissionPolicy, CrdRule } from "./rule-types.js";

/** x-kubernetes-validations of the CRD. */
export const crdRules: readonly CrdRule[] = [
  {
    "scope": [],
    "rule": "self.metadata.name.size() <= 44",
    "message": "metadata.name may have at most 44 characters: its CronJob is called harvest-<name>, and a CronJob's name may have 52",
    "at": ["metadata", "name"]
  },
  {
    "scope": ["spec"],
    "rule": "!self.transport.mtls || self.baseUrl.startsWith('https://')",
    "message": "transport.mtls needs a baseUrl that starts with https://",
    "at": ["spec", "transport", "mtls"]
  },
  {
    "scope": ["spec"],
    "rule": "!has(self.transport.caSecretName) || self.baseUrl.startsWith('https://')",
    "message": "transport.caSecretName needs a baseUrl that starts with https://",
    "at": ["spec", "transport", "caSecretName"]
  },
  {
    "scope": ["spec"],
    "rule": "!has(self.transport.headersSecretName) || self.baseUrl.startsWith('https://')",
    "message": "transport.headersSecretName needs a baseUrl that starts with https://, or the secret headers would travel in the clear",
    "at": ["spec", "transport", "headersSecretName"]
  },
  {
    "scope": ["spec"],
    "rule": "self.delta.mode != 'snapshot' || self.deletions.policy != 'tombstones'",
    "message": "deletions.policy tombstones cannot work with delta.mode snapshot, which reads no tombstones; use auto or snapshot",
    "at": ["spec", "deletions", "policy"]
  },
  {
    "scope": ["spec"],
    "rule": "self.backoff.initialMs <= self.backoff.maxMs",
    "message": "backoff.initialMs must not be greater than backoff.maxMs",
    "at": ["spec", "backoff", "initialMs"]
  },
  {
    "scope": ["spec"],
    "rule": "self.limits.maxRecordBytes <= self.limits.maxPageBytes",
    "message": "limits.maxRecordBytes must not be greater than limits.maxPageBytes",
    "at": ["spec", "limits", "maxRecordBytes"]
  },
  {
    "scope": ["spec"],
    "rule": "self.transport.timeouts.connectSeconds <= self.transport.timeouts.requestSeconds && self.transport.timeouts.firstByteSeconds <= self.transport.timeouts.requestSeconds && self.transport.timeouts.idleSeconds <= self.transport.timeouts.requestSeconds",
    "message": "transport.timeouts.requestSeconds covers the whole request, so no other timeout may be longer",
    "at": ["spec", "transport", "timeouts", "requestSeconds"]
  },
  {
    "scope": ["spec"],
    "rule": "!has(self.transport.clientCertificate) || self.transport.mtls",
    "message": "transport.clientCertificate is used only with transport.mtls true",
    "at": ["spec", "transport", "clientCertificate"]
  },
  {
    "scope": ["spec", "baseUrl"],
    "rule": "isURL(self) && self.matches('^https?://[^/?#]') && !self.matches('\\\\s') && url(self).getHostname() != ''",
    "message": "baseUrl must be an absolute http or https address, e.g. https://metadata.example.gov/oai",
    "at": ["spec", "baseUrl"]
  },
  {
    "scope": ["spec", "baseUrl"],
    "rule": "!self.matches('^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*@')",
    "message": "baseUrl must not carry a user name or password; put credentials into a secret and name it in transport.headersSecretName",
    "at": ["spec", "baseUrl"]
  },
  {
    "scope": ["spec", "baseUrl"],
    "rule": "!self.contains('#')",
    "message": "baseUrl must not carry a fragment (#...): it is never sent to a server",
    "at": ["spec", "baseUrl"]
  },
  {
    "scope": ["spec", "baseUrl"],
    "rule": "!self.matches('[?&](verb|metadataPrefix|set|from|until|identifier|resumptionToken)=')",
    "message": "baseUrl must not carry OAI-PMH arguments (verb, metadataPrefix, set, ...): the harvester adds them itself",
    "at": ["spec", "baseUrl"]
  },
  {
    "scope": ["spec", "schedule"],
    "rule": "!self.contains('TZ')",
    "message": "schedule must not carry TZ= or CRON_TZ=; use timeZone",
    "at": ["spec", "schedule"]
  },
  {
    "scope": ["spec", "schedule"],
    "rule": "self.contains('TZ') || self.matches('^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$') || self.matches('^@every [+]?([0-9]+([.][0-9]*)?(h|m|s))+$') || self.matches('^\\\\s*[0-9A-Za-z*?/,+-]+(\\\\s+[0-9A-Za-z*?/,+-]+){4}\\\\s*$')",
    "message": "schedule must be five cron fields (minute hour day month weekday), @hourly, @daily, @weekly, @monthly, @yearly, or @every with a duration such as 6h",
    "at": ["spec", "schedule"]
  },
  {
    "scope": ["spec", "timeZone"],
    "rule": "self.matches('^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*)*$') && self != 'Local' && timestamp('2000-01-01T00:00:00Z').getHours(self) >= 0",
    "message": "timeZone must be the name of an IANA time zone, e.g. Etc/UTC or America/Chicago",
    "at": ["spec", "timeZone"]
  },
  {
    "scope": ["spec", "concurrency", "requestsPerSecond"],
    "rule": "self > 0.0",
    "message": "concurrency.requestsPerSecond must be greater than 0",
    "at": ["spec", "concurrency", "requestsPerSecond"]
  },
  {
    "scope": ["spec", "transport", "proxyUrl"],
    "rule": "self.matches('^https?://[^/?#@\\\\s]+/?$') && isURL(self)",
    "message": "transport.proxyUrl must be an http or https address without user name, path or query, e.g. http://proxy.example.gov:3128",
    "at": ["spec", "transport", "proxyUrl"]
  }
];

/** The ValidatingAdmissionPolicies about HarvestSources. */
export const admissionPolicies: readonly AdmissionPolicy[] = [
  {
    "name": "harvest-delivery",
    "failurePolicy": "Fail",
    "matchConditions": [
      {
        "name": "changes-spec",
        "expression": "oldObject == null || object.spec != oldObject.spec"
      }
    ],
    "variables": [
      {
        "name": "accounts",
        "expression": "(has(params.data) && 'usernames' in params.data ? params.data.usernames : '') .split('\\n').map(line, line.trim()).filter(line, line != '')"
      },
      {
        "name": "groups",
        "expression": "(has(params.data) && 'groups' in params.data ? params.data.groups : '') .split('\\n').map(line, line.trim()).filter(line, line != '')"
      },
      {
        "name": "controller",
        "expression": "'system:serviceaccount:' + params.metadata.namespace + ':harvest-controller'"
      }
    ],
    "validations": [
      {
        "expression": "request.userInfo.username == variables.controller || request.userInfo.username in variables.accounts || (has(request.userInfo.groups) && request.userInfo.groups.exists(group, group in variables.groups))",
        "messageExpression": "request.userInfo.username + \" changes the spec of HarvestSource \" + object.metadata.name + \", which is delivered from Git: change the manifest there, or name the account in ConfigMap \" + params.metadata.namespace + \"/harvest-delivery\""
      }
    ],
    "parameters": {
      "name": "harvest-delivery",
      "whenMissing": "Allow"
    },
    "asksWriter": true
  },
  {
    "name": "harvest-fair-use",
    "failurePolicy": "Fail",
    "matchConditions": [
      {
        "name": "asks-for-something-new",
        "expression": "!object.spec.suspend && (oldObject == null || object.spec != oldObject.spec)"
      }
    ],
    "variables": [
      {
        "name": "host",
        "expression": "url(object.spec.baseUrl).getHostname().lowerAscii()"
      },
      {
        "name": "key",
        "expression": "variables.host.contains(':') ? '_ipv6_' + (isIP(variables.host) ? string(ip(variables.host)) : variables.host).replace(':', '-') : variables.host"
      },
      {
        "name": "ceilings",
        "expression": "has(params.data) ? params.data : {}"
      },
      {
        "name": "ceiling",
        "expression": "variables.key in variables.ceilings ? variables.ceilings[variables.key] : '_default' in variables.ceilings ? variables.ceilings['_default'] : ''"
      }
    ],
    "validations": [
      {
        "expression": "variables.ceiling == '' || variables.ceiling.matches('^[0-9]{1,9}$')",
        "messageExpression": "\"the ceiling of \" + variables.host + \" in ConfigMap \" + params.metadata.namespace + \"/harvest-fair-use is '\" + variables.ceiling + \"', which is no whole number: write the ConfigMap anew with harvestctl bundle --fair-use\""
      },
      {
        "expression": "!variables.ceiling.matches('^[0-9]{1,9}$') || object.spec.concurrency.maxRequests <= int(variables.ceiling)",
        "messageExpression": "\"maxRequests \" + string(object.spec.concurrency.maxRequests) + \" exceeds the fair-use ceiling \" + variables.ceiling + \" of \" + variables.host + \": lower it, or agree a higher ceiling with the agency and write it into rules/fair-use.yaml\""
      }
    ],
    "parameters": {
      "name": "harvest-fair-use",
      "whenMissing": "Allow"
    },
    "asksWriter": false
  }
];
