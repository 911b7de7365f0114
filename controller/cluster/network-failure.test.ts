import { describe, expect, it } from "vitest";
import { networkFailure } from "./network-failure.js";

describe("networkFailure", () => {
  it.each([
    [{ code: "ECONNREFUSED" }, "unsent", "ConnectionRefused"],
    [{ code: "EAI_AGAIN" }, "unsent", "NameLookupFailed"],
    [{ code: "ENOTFOUND" }, "final", "UnknownHost"],
    [{ code: "EHOSTUNREACH" }, "unsent", "Unreachable"],
    [{ code: "UND_ERR_CONNECT_TIMEOUT" }, "unsent", "ConnectTimeout"],
    [{ code: "ETIMEDOUT", syscall: "connect" }, "unsent", "ConnectTimeout"],
    [{ code: "ETIMEDOUT", syscall: "read" }, "silent", "Timeout"],
    [{ code: "ECONNRESET" }, "cut", "ConnectionReset"],
    [
      {
        code: "ECONNRESET",
        message: "Client network socket disconnected before secure TLS connection was established",
      },
      "unsent",
      "ConnectionReset",
    ],
    [{ code: "UND_ERR_SOCKET", message: "other side closed" }, "cut", "ConnectionReset"],
    [{ code: "UND_ERR_HEADERS_TIMEOUT" }, "silent", "Timeout"],
    [{ code: "UND_ERR_BODY_TIMEOUT" }, "silent", "Timeout"],
    [{ code: "UND_ERR_INVALID_ARG" }, "final", "RequestInvalid"],
    [{ code: "UND_ERR_CLOSED" }, "unsent", "ConnectionClosed"],
    [{ code: "HPE_INVALID_CONSTANT" }, "final", "NotHttp"],
    [{ code: "CERT_HAS_EXPIRED" }, "tls", "TlsFailed"],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "tls", "TlsFailed"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "tls", "TlsFailed"],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "tls", "TlsFailed"],
    [{ code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }, "tls", "TlsFailed"],
    [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "tls", "TlsFailed"],
    [
      { code: "UND_ERR_ABORTED", message: "Proxy response (407) !== 200 when HTTP Tunneling" },
      "final",
      "ProxyRefused",
    ],
    [{ code: "EWHATEVER" }, "cut", "EWHATEVER"],
    [undefined, "cut", "RequestFailed"],
  ])("%j is %s", (error, group, reason) => {
    expect(networkFailure(error)).toMatchObject({ group, reason });
  });
});
