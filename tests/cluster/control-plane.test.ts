/** The ground the cluster tests stand on: a control plane that can be hurt, and that cannot outlive its tests. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findAssets, noCluster } from "../setup/cluster-assets.js";
import { clusterHttp } from "../setup/cluster-http.js";
import { startControlPlane } from "../setup/control-plane.js";

const there =
  findAssets(["etcd", "kube-apiserver", "kubectl"]) !== undefined || noCluster("no programs of one found");

describe.skipIf(there !== true)("a control plane of one's own", { timeout: 90_000 }, () => {
  it("loses its API server, gets it back with all data, and is gone when stopped", async () => {
    const plane = (await startControlPlane({ parts: "api" }))!;
    const namespaces = async (): Promise<string> =>
      (await plane.kubectl(["get", "namespace", "mine", "-o", "name"])).stdout;
    try {
      expect(await plane.kubectl(["create", "namespace", "mine"])).toMatchObject({ code: 0, stderr: "" });
      const first = plane.pids["kube-apiserver"];
      await plane.killApiServer();
      expect((await plane.kubectl(["get", "namespace"])).stderr).toContain("refused");
      await plane.restartApiServer();
      expect(plane.pids["kube-apiserver"]).not.toBe(first);
      expect(await namespaces()).toBe("namespace/mine\n");
    } finally {
      await plane.stop();
    }
    expect(Object.values(plane.pids).filter(lives)).toEqual([]);
    expect(existsSync(plane.folder)).toBe(false);
  });

  it("freezes and thaws", async () => {
    const plane = (await startControlPlane({ parts: "api" }))!;
    const { send, close } = clusterHttp(plane);
    try {
      plane.signal("kube-apiserver", "STOP");
      const answer = send("GET", "/readyz");
      expect(await Promise.race([answer, wait(1_500, "silence")])).toBe("silence");
      plane.signal("kube-apiserver", "CONT");
      expect((await answer).status).toBe(200);
    } finally {
      close();
      await plane.stop();
    }
  });

  it("trusts no other certificate and no other token", async () => {
    const plane = (await startControlPlane({ parts: "api" }))!;
    const nobody = clusterHttp({ ...plane, token: "another" });
    const stranger = clusterHttp({ ...plane, certificateAuthority: "" });
    try {
      expect((await nobody.send("GET", "/api/v1/namespaces")).status).toBe(401);
      await expect(stranger.send("GET", "/readyz")).rejects.toThrow(/certificate/);
    } finally {
      nobody.close();
      stranger.close();
      await plane.stop();
    }
  });

  it("dies with the process that started it, however that dies", async () => {
    const file = join(import.meta.dirname, "../setup/control-plane.js");
    const program = `
      const { startControlPlane } = await import(${JSON.stringify(file)});
      const { pids, folder } = await startControlPlane({ parts: "api" });
      process.stdout.write(JSON.stringify({ pids: Object.values(pids), folder }));
      process.kill(process.pid, "SIGKILL");`;
    const said = await new Promise<string>((resolve) => {
      const args = ["--import", "tsx", "--input-type=module", "-e", program];
      execFile(process.execPath, args, (_, stdout) => {
        resolve(stdout);
      });
    });
    const { pids, folder } = JSON.parse(said) as { pids: number[]; folder: string };
    expect(pids).toHaveLength(2);
    for (let tries = 0; tries < 100 && (pids.some(lives) || existsSync(folder)); tries += 1) await wait(100);
    expect(pids.filter(lives)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
