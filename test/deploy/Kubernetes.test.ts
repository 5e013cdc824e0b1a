import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { settingsTable } from "@carteiro/runtime/boot/settings/SettingsTable.ts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { loadAll } from "js-yaml"
import { refusals } from "./KubernetesSchemas.ts"
import { kustomize, type Manifest } from "./Kustomize.ts"

const deploy = fileURLToPath(new URL("../../deploy/", import.meta.url))
const folder = join(deploy, "kubernetes")
const read = (path: string) => readFileSync(join(deploy, path), "utf8")
const overlays = ["overlays/single", "overlays/cluster", "overlays/external-postgresql"]
const made = new Map([...overlays, "migrate"].map((path) => [path, kustomize(join(folder, path))]))
const of = (overlay: string) => made.get(overlay) ?? []
const named = (overlay: string, kind: string, name: string): Manifest =>
  of(overlay).find((one) => one.kind === kind && one.metadata.name === name) ??
  assert.fail(`${overlay} has no ${kind} ${name}`)

interface Container {
  readonly name: string
  readonly image: string
  readonly env?: ReadonlyArray<{ readonly name: string; readonly value?: string }>
  readonly envFrom?: ReadonlyArray<{
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }>
  readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of manifests that it has not declared
  readonly [name: string]: any
}

/** Objects that run pods, with the pod of each. */
const workloads = (overlay: string) =>
  of(overlay).flatMap((manifest) => {
    const pod = manifest.spec?.template
    return pod === undefined ? [] : [{ name: manifest.metadata.name, manifest, pod, spec: pod.spec }]
  })
/** Those that run the product, with their container of it. */
const nodes = (overlay: string) =>
  workloads(overlay).flatMap((one) => {
    const node = (one.spec.containers as ReadonlyArray<Container>).find(({ name }) => name === "node")
    return node === undefined ? [] : [{ ...one, node }]
  })

const secrets = Object.fromEntries(
  read("kubernetes/secret.env.example")
    .trim()
    .split("\n")
    .map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) as [string, string])
)

/** The environment of a container, as the kubelet puts it together for the pod `name`. */
const environmentOf = (overlay: string, { env = [], envFrom = [] }: Container, pod: string) => {
  const from = envFrom.map(({ configMapRef, secretRef }) => {
    if (secretRef !== undefined) return secretRef.name === "carteiro" ? secrets : assert.fail(secretRef.name)
    return named(overlay, "ConfigMap", configMapRef?.name ?? "").data
  })
  const own: Record<string, string> = { POD_NAME: pod, POD_NAMESPACE: "carteiro" }
  for (const { name, value } of env) {
    if (value !== undefined) own[name] = value.replaceAll(/\$\((\w+)\)/g, (_, other: string) => own[other] ?? "")
  }
  return Object.assign({}, ...from, own) as Readonly<Record<string, string>>
}

describe.each([...made.keys()])("%s", (overlay) => {
  it("every object matches the schema of its kind in Kubernetes, without unknown members", async () => {
    assert.isNotEmpty(of(overlay))
    for (const manifest of of(overlay)) assert.deepStrictEqual(await refusals(manifest), [])
  })

  it("runs without privileges: no root user, no capability, a read-only root, no token", () => {
    for (const { spec } of workloads(overlay)) {
      assert.isTrue(spec.securityContext.runAsNonRoot)
      assert.isFalse(spec.automountServiceAccountToken)
      for (const { resources, securityContext } of spec.containers as ReadonlyArray<Container>) {
        assert.deepStrictEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] }
        })
        assert.hasAllKeys(resources, ["requests", "limits"])
      }
    }
  })

  it("mounts only volumes of the pod, and finds every configuration that it names", () => {
    for (const { manifest, spec } of workloads(overlay)) {
      const claims = (manifest.spec.volumeClaimTemplates ?? []) as ReadonlyArray<Manifest>
      const volumes = [...(spec.volumes ?? []), ...claims.map(({ metadata }) => metadata)]
      for (const { configMap } of volumes) if (configMap) named(overlay, "ConfigMap", configMap.name)
      const known = volumes.map(({ name }: { readonly name: string }) => name)
      for (const { volumeMounts = [] } of spec.containers as ReadonlyArray<Container>) {
        for (const { name } of volumeMounts) assert.include(known, name)
      }
    }
  })
})

describe.each(overlays)("nodes of %s", (overlay) => {
  it.effect("start with their settings, all of which exist", () =>
    Effect.gen(function* () {
      const names = new Set(Object.values(settingsTable).map(({ name }) => name))
      for (const { name, node } of nodes(overlay)) {
        const environment = environmentOf(overlay, node, `${name}-0`)
        const { POD_NAME: _, POD_NAMESPACE: __, ...settings } = environment
        for (const variable of Object.keys(settings)) assert.isTrue(names.has(variable), variable)
        const env = { ...settings, CARTEIRO_MASTER_KEY: "ab".repeat(32) }
        for (const path of Object.keys(env).filter((one) => one.startsWith("CARTEIRO_RUNNER_TLS_"))) {
          Object.assign(env, { [path]: fileURLToPath(import.meta.url) })
        }
        const values = yield* Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
        assert.strictEqual(values.role, name.replace("carteiro-", "").replace("node", "all"))
      }
    })
  )

  it("have probes at documented endpoints, on ports that they listen on", () => {
    const guide = read("../docs/operations.md")
    for (const { name, node } of nodes(overlay)) {
      const environment = environmentOf(overlay, node, `${name}-0`)
      const ports = Object.fromEntries((node.ports ?? []).map((port) => [port.name, port.containerPort]))
      if (ports.http !== undefined) assert.strictEqual(String(ports.http), environment.PORT)
      if (ports.runner !== undefined) assert.strictEqual(String(ports.runner), environment.CARTEIRO_RUNNER_PORT)
      for (const kind of ["startupProbe", "readinessProbe", "livenessProbe"]) {
        const { exec, httpGet } = node[kind]
        if (httpGet === undefined) {
          const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)(\/[\w/]+)'/.exec(exec.command.at(-1)) ?? []
          assert.strictEqual(port, environment.CARTEIRO_ADMIN_PORT)
          assert.include(guide, `| admin \`${path}\` |`)
        } else {
          assert.property(ports, httpGet.port)
          assert.include(guide, `| public \`${httpGet.path}\` |`)
        }
      }
      assert.match(node.readinessProbe.httpGet?.path ?? node.readinessProbe.exec.command.at(-1), /\/health\/ready/)
    }
  })

  it("have 15 seconds to stop, and the time in which proxies learn of it (boot contract, Stopping)", () => {
    for (const { node, spec } of nodes(overlay)) {
      const before = node.lifecycle?.preStop.sleep.seconds ?? 0
      assert.isAtLeast(spec.terminationGracePeriodSeconds, 15 + before)
      assert.strictEqual(before > 0, node.ports?.some(({ name }) => name === "http") ?? false)
    }
  })

  it("request the core and the memory that docs/scale.md measured under full load", () => {
    const [, mostMb = ""] = /400 to (\d+) MB under full load/.exec(read("../docs/scale.md")) ?? []
    for (const { node } of nodes(overlay)) {
      const [, memory = ""] = /^(\d+)Mi$/.exec(node.resources.requests.memory) ?? []
      assert.isAtLeast(Number(memory) * 1.048_576, Number(mostMb))
      assert.strictEqual(node.resources.requests.cpu, "1")
    }
  })

  it("expose their metrics by a sidecar, as those of the compose file do", () => {
    const { data } = named(overlay, "ConfigMap", "carteiro-metrics-sidecar")
    assert.strictEqual(data["nginx.conf"], read("prometheus/metrics-sidecar.conf"))
    for (const { node, spec, name } of nodes(overlay)) {
      const sidecar = (spec.containers as ReadonlyArray<Container>).find((one) => one.name === "metrics")
      assert.deepStrictEqual(sidecar?.ports, [{ name: "metrics", containerPort: 9091 }])
      const { CARTEIRO_ADMIN_PORT } = environmentOf(overlay, node, `${name}-0`)
      assert.include(data["nginx.conf"], `proxy_pass http://127.0.0.1:${CARTEIRO_ADMIN_PORT};`)
    }
  })

  it("are selected by every service, budget, policy and scaler about them", () => {
    const labels = workloads(overlay).map(({ pod }) => pod.metadata.labels["app.kubernetes.io/name"])
    const selected = (selector: { readonly matchLabels?: Readonly<Record<string, string>> } | undefined) =>
      Object.values(selector?.matchLabels ?? {})
    for (const { kind, metadata, spec } of of(overlay)) {
      if (kind === "Service") {
        const found = workloads(overlay).filter(
          ({ pod }) => pod.metadata.labels["app.kubernetes.io/name"] === spec.selector["app.kubernetes.io/name"]
        )
        assert.lengthOf(found, 1, metadata.name)
        const ports = found.flatMap((one) => one.spec.containers).flatMap(({ ports = [] }: Container) => ports)
        for (const { targetPort } of spec.ports) {
          assert.include(
            ports.map(({ name }) => name),
            targetPort
          )
        }
      }
      if (kind === "PodDisruptionBudget") assert.includeMembers(labels, selected(spec.selector))
      if (kind === "NetworkPolicy") assert.includeMembers(labels, selected(spec.podSelector), metadata.name)
      if (kind === "HorizontalPodAutoscaler") named(overlay, spec.scaleTargetRef.kind, spec.scaleTargetRef.name)
      if (kind === "StatefulSet") named(overlay, "Service", spec.serviceName)
    }
    for (const { pod, spec } of workloads(overlay)) {
      for (const { labelSelector } of spec.topologySpreadConstraints ?? []) {
        assert.deepStrictEqual(labelSelector.matchLabels, pod.metadata.labels)
      }
    }
  })

  it("are reachable only at ports that a policy opens, and reach no metadata address", () => {
    const policies = of(overlay).filter(({ kind }) => kind === "NetworkPolicy")
    const everything = policies.filter(({ spec }) => Object.keys(spec.podSelector).length === 0)
    const closed = everything.find(({ spec }) => spec.policyTypes.length === 2)
    assert.isUndefined(closed?.spec.ingress, "all pods are closed, and policies open single ports")
    const blocks = closed?.spec.egress.flatMap(({ to = [] }: { readonly to?: ReadonlyArray<Manifest> }) => to)
    assert.deepInclude(blocks, { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.0.0/16"] } })
    const opened = policies.flatMap(({ spec }) => spec.ingress ?? []).flatMap(({ ports }) => ports)
    const listened = workloads(overlay)
      .flatMap(({ spec }) => spec.containers)
      .flatMap(({ ports = [] }: Container) => ports)
    for (const { port } of opened) {
      assert.include(
        listened.map(({ containerPort }) => containerPort),
        port
      )
    }
  })
})

describe.each(["overlays/cluster", "overlays/external-postgresql"])("the cluster of %s", (overlay) => {
  it("has three shards and two edges or more, spread over zones, of which one may be taken away at a time", () => {
    assert.strictEqual(named(overlay, "StatefulSet", "carteiro-shard").spec.replicas, 3)
    assert.isUndefined(named(overlay, "Deployment", "carteiro-edge").spec.replicas, "the scaler decides")
    assert.strictEqual(named(overlay, "HorizontalPodAutoscaler", "carteiro-edge").spec.minReplicas, 2)
    for (const { name, spec } of nodes(overlay)) {
      assert.strictEqual(named(overlay, "PodDisruptionBudget", name).spec.maxUnavailable, 1)
      const zones = spec.topologySpreadConstraints.map(
        ({ topologyKey }: { readonly topologyKey: string }) => topologyKey
      )
      assert.deepStrictEqual(zones, ["topology.kubernetes.io/zone", "kubernetes.io/hostname"])
    }
  })

  it("calls shards at names in their certificate", () => {
    const shard = nodes(overlay).find(({ name }) => name === "carteiro-shard") ?? assert.fail()
    const { CARTEIRO_RUNNER_HOST: host = "", ...settings } = environmentOf(overlay, shard.node, "carteiro-shard-0")
    const { spec } = named(overlay, "Certificate", "carteiro-nodes")
    assert.strictEqual(host, `carteiro-shard-0.${shard.manifest.spec.serviceName}.carteiro.svc.cluster.local`)
    assert.deepStrictEqual(spec.dnsNames, [host.replace("carteiro-shard-0.", "*.")])
    assert.includeMembers(spec.usages, ["server auth", "client auth"])
    named(overlay, spec.issuerRef.kind, spec.issuerRef.name)
    for (const { node, spec: pod } of nodes(overlay)) {
      const volume = pod.volumes.find(({ name }: { readonly name: string }) => name === "tls")
      assert.strictEqual(volume.secret.secretName, spec.secretName)
      assert.deepInclude(node.volumeMounts, { name: "tls", mountPath: "/tls", readOnly: true })
    }
    const files = {
      CARTEIRO_RUNNER_TLS_CA: "ca.crt",
      CARTEIRO_RUNNER_TLS_CERT: "tls.crt",
      CARTEIRO_RUNNER_TLS_KEY: "tls.key"
    }
    for (const [variable, file] of Object.entries(files)) assert.strictEqual(settings[variable], `/tls/${file}`)
  })
})

it("the migration runs the image of the nodes, with the program that npm run migrate runs", () => {
  const [job] = workloads("migrate")
  const [container] = (job?.spec.containers ?? []) as ReadonlyArray<Container>
  const { scripts } = JSON.parse(read("../package.json"))
  assert.deepStrictEqual(container?.args, [scripts.migrate.split(" ").at(-1)])
  for (const overlay of overlays) {
    for (const { node } of nodes(overlay)) assert.strictEqual(node.image, container?.image, overlay)
  }
})

/** Runs the script with a kubectl that writes down what it is asked for; `running` are the nodes that it knows. */
const rolled = (overlay: string, running: ReadonlyArray<string>): ReadonlyArray<string> => {
  const copy = mkdtempSync(join(tmpdir(), "carteiro-roll-"))
  try {
    const program = join(copy, "kubectl")
    const known = running.map((name) => `*"get ${name}"*) echo ${name} ;;`).join("\n")
    writeFileSync(program, `#!/bin/sh\necho "$*" >> ${copy}/asked\ncase "$*" in\n${known}\nesac\n`)
    chmodSync(program, 0o755)
    const env = { ...process.env, KUBECTL: program }
    execFileSync("sh", [join(folder, "roll.sh"), overlay], { env, stdio: "ignore" })
    const asked = readFileSync(join(copy, "asked"), "utf8").trim().split("\n")
    return asked.filter((line) => !line.includes(" get ")).map((line) => line.replace("--namespace carteiro ", ""))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

it("a rollout migrates before any node changes, then waits for shards, then for edges; the first one migrates nothing", () => {
  const nodesOfCluster = ["statefulset/carteiro-shard", "deployment/carteiro-edge"]
  assert.deepStrictEqual(rolled("overlays/cluster", nodesOfCluster), [
    "delete job carteiro-migrate --ignore-not-found --wait",
    "apply --kustomize migrate",
    "wait --for=condition=complete --timeout=20m job/carteiro-migrate",
    "apply --kustomize overlays/cluster",
    "rollout status --timeout=10m statefulset/carteiro-shard",
    "rollout status --timeout=10m deployment/carteiro-edge"
  ])
  assert.deepStrictEqual(rolled("overlays/single", []), ["apply --kustomize overlays/single"])
})

const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0

it.skipIf(!hasKubectl)(
  `kubectl merges base and overlays as this test does${hasKubectl ? "" : " (kubectl is not installed)"}`,
  () => {
    const sorted = (manifests: ReadonlyArray<Manifest>) =>
      manifests.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`))
    for (const [path, manifests] of made) {
      const text = execFileSync("kubectl", ["kustomize", join(folder, path)], { encoding: "utf8" })
      assert.deepStrictEqual(sorted(manifests), sorted(loadAll(text) as Array<Manifest>), path)
    }
  }
)
