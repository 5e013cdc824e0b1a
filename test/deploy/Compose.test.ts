import { execFile, execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { settingsTable } from "@carteiro/runtime/boot/settings/SettingsTable.ts"
import { mostMediaBytes } from "@carteiro/schema/media/Media.ts"
import { assert, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { ConfigProvider, Effect } from "effect"
import { load } from "js-yaml"
import S3rver from "s3rver"

const folder = fileURLToPath(new URL("../../deploy/", import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), "utf8")

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks: unknown
  readonly ports?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly network_mode?: string
  readonly command?: ReadonlyArray<string>
  readonly read_only?: boolean
  readonly cap_drop?: ReadonlyArray<string>
  readonly profiles?: ReadonlyArray<string>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
}

const compose = load(read("compose.yaml")) as Compose
const { services } = compose
const withRole = (role: string) =>
  Object.entries(services).filter(([, { environment }]) => environment?.CARTEIRO_ROLE === role)
const names = new Set(Object.values(settingsTable).map(({ name }) => name))

it("the compose file sets only settings that exist, each node with its own certificate and name", () => {
  assert.deepStrictEqual([withRole("shard").length, withRole("edge").length], [2, 2])
  for (const [name, { environment = {}, volumes = [] }] of [...withRole("shard"), ...withRole("edge")]) {
    for (const variable of Object.keys(environment)) assert.isTrue(names.has(variable), variable)
    for (const part of ["DATABASE_URL", "CARTEIRO_MASTER_KEY", "CARTEIRO_PUBLIC_URL"]) {
      assert.match(environment[part] ?? "", /\$\{\w+:\?/, `${name} ${part}`)
    }
    assert.strictEqual(environment.CARTEIRO_RUNNER_TLS_CA, "/tls/ca.pem")
    assert.strictEqual(environment.CARTEIRO_RUNNER_TLS_CERT, `/tls/${name}.pem`)
    assert.strictEqual(environment.CARTEIRO_RUNNER_TLS_KEY, `/tls/${name}.key`)
    assert.deepStrictEqual(volumes, [`./tls/${name}:/tls:ro`])
  }
  for (const [name, { environment }] of withRole("shard")) assert.strictEqual(environment?.CARTEIRO_RUNNER_HOST, name)
})

/** What a shell or systemd reads from the block of a guide that begins with this line. */
const settingsOf = (guide: string, first: string): Readonly<Record<string, string>> => {
  const [, block = ""] = readFileSync(join(folder, "../docs", guide), "utf8").split(`${first}\n`)
  const lines = block.split("\nEOF\n", 1)[0]?.split("\n") ?? []
  return Object.fromEntries(lines.map((line) => /^(\w+)="?(.*?)"?$/.exec(line)?.slice(1) as [string, string]))
}

/** The settings as a node reads them: a key that is made for each installation, and certificates that are there. */
const starts = (environment: Readonly<Record<string, string>>) => {
  const certificates = Object.keys(environment).filter((name) => name.startsWith("CARTEIRO_RUNNER_TLS_"))
  const env: Record<string, string> = { CARTEIRO_MODE: "production", ...environment }
  env.CARTEIRO_MASTER_KEY = "ab".repeat(32)
  for (const name of certificates) env[name] = fileURLToPath(import.meta.url)
  return Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
}

it.effect("nodes of the compose file and of the guide's units have every setting that their role needs", () =>
  Effect.gen(function* () {
    const given = settingsOf("operations.md", "cat > deploy/.env <<EOF")
    for (const [name, { environment = {} }] of [...withRole("shard"), ...withRole("edge")]) {
      const filled = Object.entries(environment).map(([variable, value]) => {
        const text = value.replace(
          /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
          (_, asked: string, kind: string, other: string) => {
            if (kind === "-") return given[asked] ?? other
            assert.property(given, asked, name)
            return given[asked] ?? ""
          }
        )
        return [variable, text.replace(/\$\(.*?\)/, "secret")]
      })
      assert.strictEqual((yield* starts(Object.fromEntries(filled))).blobStore, "s3")
    }
    const unit = settingsOf("operations.md", "install -m 0640 -g carteiro /dev/stdin /etc/carteiro/shard-1.env <<'EOF'")
    assert.strictEqual((yield* starts(unit)).role, "shard")
  })
)

it("only the proxy is reachable from outside, and it is the one trusted for source addresses", () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
  assert.deepStrictEqual(published, [
    ["proxy", "8080:8080"],
    ["grafana", "127.0.0.1:3000:3000"]
  ])
  const proxied = services.proxy?.networks as { readonly inside: { readonly ipv4_address: string } } | undefined
  const conf = read("nginx.conf")
  for (const [name, { environment }] of withRole("edge")) {
    assert.strictEqual(environment?.CARTEIRO_TRUSTED_PROXIES, proxied?.inside.ipv4_address)
    assert.include(conf, `server ${name}:8080;`)
  }
  assert.include(conf, "proxy_set_header X-Forwarded-For $remote_addr;")
})

it("every dependency and mount of a service exists", () => {
  for (const [name, { depends_on = {}, volumes = [] }] of Object.entries(services)) {
    const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
    for (const other of others) assert.property(services, other, name)
    for (const [source = ""] of volumes.map((volume) => volume.split(":"))) {
      if (!source.startsWith("./")) assert.property(compose.volumes, source, name)
      else if (!/^\.\/(tls|backups)\b/.test(source)) assert.isTrue(existsSync(join(folder, source)), source)
    }
  }
})

it("the compose file matches the schema of its specification", () => {
  const path = fileURLToPath(new URL("../../node_modules/dclint/schemas/compose.schema.json", import.meta.url))
  const { $schema: _, ...schema } = JSON.parse(readFileSync(path, "utf8"))
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  assert.isTrue(check(compose), JSON.stringify(check.errors))
  assert.isFalse(check({ services: { node: { imagee: "carteiro" } } }))
})

it("nodes run without privileges, on a read-only root", () => {
  for (const [name, { cap_drop, read_only }] of [...withRole("shard"), ...withRole("edge")]) {
    assert.deepStrictEqual([cap_drop, read_only], [["ALL"], true], name)
  }
})

it("a sidecar in the network of each node hands out its metrics, and Prometheus scrapes each one", () => {
  const { scrape_configs } = load(read("prometheus/prometheus.yaml")) as {
    readonly scrape_configs: ReadonlyArray<{
      readonly job_name: string
      readonly static_configs: ReadonlyArray<{ readonly targets: ReadonlyArray<string> }>
    }>
  }
  const targets = scrape_configs.find(({ job_name }) => job_name === "carteiro")?.static_configs[0]?.targets
  const nodes = [...withRole("shard"), ...withRole("edge")].map(([name]) => name)
  assert.deepStrictEqual(
    targets,
    nodes.map((name) => `${name}:9091`)
  )
  for (const name of nodes) assert.strictEqual(services[`metrics-${name}`]?.network_mode, `service:${name}`)
  const image = readFileSync(join(folder, "Dockerfile"), "utf8")
  const [, port] = /CARTEIRO_ADMIN_PORT=(\d+)/.exec(image) ?? []
  assert.include(read("prometheus/metrics-sidecar.conf"), `proxy_pass http://127.0.0.1:${port};`)
})

it("Grafana finds Prometheus and all boards, and Prometheus the alerts, where the compose file mounts them", () => {
  const mounted = (name: string) =>
    new Map((services[name]?.volumes ?? []).map((volume) => volume.split(":", 2) as [string, string]))
  const grafana = mounted("grafana")
  const provisioning = grafana.get("./grafana/provisioning")
  assert.strictEqual(provisioning, "/etc/grafana/provisioning")
  const boards = load(read("grafana/provisioning/dashboards/carteiro.yaml")) as {
    readonly providers: ReadonlyArray<{ readonly options: { readonly path: string } }>
  }
  assert.strictEqual(boards.providers[0]?.options.path, grafana.get("./grafana"))
  const sources = load(read("grafana/provisioning/datasources/prometheus.yaml")) as {
    readonly datasources: ReadonlyArray<{ readonly url: string }>
  }
  assert.property(services, new URL(sources.datasources[0]?.url ?? "").hostname)
  const { rule_files } = load(read("prometheus/prometheus.yaml")) as { readonly rule_files: ReadonlyArray<string> }
  assert.deepStrictEqual(rule_files, [mounted("prometheus").get("./prometheus/rules.yaml") ?? ""])
})

it("the object store knows the keys of the nodes, which call it at its own address", () => {
  const keys: Readonly<Record<string, string>> = {
    CARTEIRO_BLOB_S3_ACCESS_KEY: "access",
    CARTEIRO_BLOB_S3_SECRET_KEY: "secret"
  }
  const content = compose.configs.objects?.content ?? ""
  const filled = content.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => keys[name] ?? "")
  const { identities } = JSON.parse(filled)
  assert.deepStrictEqual(identities[0].credentials, [{ accessKey: "access", secretKey: "secret" }])
  for (const [, { environment }] of [...withRole("shard"), ...withRole("edge")]) {
    const [, at = ""] = /:-(.*)\}$/.exec(environment?.CARTEIRO_BLOB_S3_ENDPOINT ?? "") ?? []
    assert.property(services, new URL(at).hostname)
  }
})

it.live("the bucket is created once, and found afterwards", () =>
  Effect.gen(function* () {
    const directory = mkdtempSync(join(tmpdir(), "carteiro-bucket-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true, force: true })))
    const store = new S3rver({ port: 0, silent: true, directory, configureBuckets: [] })
    const { port } = yield* Effect.promise(() => store.run())
    yield* Effect.addFinalizer(() => Effect.promise(() => store.close()))
    const env = {
      ...process.env,
      CARTEIRO_BLOB_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      CARTEIRO_BLOB_S3_BUCKET: "carteiro-files",
      CARTEIRO_BLOB_S3_ACCESS_KEY: "S3RVER",
      CARTEIRO_BLOB_S3_SECRET_KEY: "S3RVER"
    }
    const [script = ""] = services.bucket?.command ?? []
    const made = () => Effect.promise(() => promisify(execFile)(process.execPath, [join(folder, script)], { env }))
    assert.strictEqual((yield* made()).stdout, "made the bucket carteiro-files\n")
    assert.strictEqual((yield* made()).stdout, "there is the bucket carteiro-files\n")
  }).pipe(Effect.scoped)
)

it("the certificates made for the compose file are of one authority, for their nodes, and private", () => {
  const copy = mkdtempSync(join(tmpdir(), "carteiro-tls-"))
  try {
    cpSync(join(folder, "make-certificates.sh"), join(copy, "make-certificates.sh"))
    for (const _ of ["first", "again"]) execFileSync("sh", [join(copy, "make-certificates.sh")], { stdio: "ignore" })
    for (const [name] of [...withRole("shard"), ...withRole("edge")]) {
      const own = join(copy, "tls", name)
      const verify = ["verify", "-CAfile", join(own, "ca.pem"), "-verify_hostname", name, join(own, `${name}.pem`)]
      assert.include(execFileSync("openssl", verify, { encoding: "utf8" }), "OK")
      assert.strictEqual(statSync(join(own, `${name}.key`)).mode & 0o077, 0)
      assert.isFalse(existsSync(join(own, "ca.key")))
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})

it("a certificate names IP addresses as such, and every address that its node is given", () => {
  const copy = mkdtempSync(join(tmpdir(), "carteiro-addresses-"))
  try {
    cpSync(join(folder, "make-certificates.sh"), join(copy, "make-certificates.sh"))
    const nodes = ["shard-1=10.0.0.11", "10.0.0.12", "edge-1=::1,edge-1.internal"]
    execFileSync("sh", [join(copy, "make-certificates.sh"), ...nodes], { stdio: "ignore" })
    const checks = [
      ["shard-1", "-verify_ip", "10.0.0.11"],
      ["10.0.0.12", "-verify_ip", "10.0.0.12"],
      ["edge-1", "-verify_ip", "::1"],
      ["edge-1", "-verify_hostname", "edge-1.internal"]
    ] as const
    for (const [name, option, address] of checks) {
      const verify = [
        "verify",
        "-CAfile",
        join(copy, "tls/ca.pem"),
        option,
        address,
        join(copy, "tls", name, `${name}.pem`)
      ]
      assert.include(execFileSync("openssl", verify, { encoding: "utf8" }), "OK", address)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})

it("the guide brings each file that a unit names to /etc/carteiro/tls, readable for its group", () => {
  const guide = readFileSync(join(folder, "../docs/operations.md"), "utf8")
  const copied = /^install -m 0640 -g carteiro (.*) \/etc\/carteiro\/tls\/$/m.exec(guide)?.[1]?.split(" ") ?? []
  const named = [...guide.matchAll(/^CARTEIRO_RUNNER_TLS_\w+=\/etc\/carteiro\/tls\/(\S+)$/gm)].map(([, name]) => name)
  assert.sameMembers(
    copied.map((path) => path.split("/").at(-1)),
    named
  )
  assert.match(guide, /^install -d -m 0750 -g carteiro \/etc\/carteiro \/etc\/carteiro\/tls$/m)
})

const hasPromtool = spawnSync("promtool", ["--version"]).error === undefined

it.skipIf(!hasPromtool)(
  `promtool takes the file that the compose file gives to Prometheus${hasPromtool ? "" : " (promtool is not installed)"}`,
  () => {
    const copy = mkdtempSync(join(tmpdir(), "carteiro-prometheus-"))
    try {
      const text = read("prometheus/prometheus.yaml").replace(
        "/etc/prometheus/rules.yaml",
        join(folder, "prometheus/rules.yaml")
      )
      writeFileSync(join(copy, "prometheus.yaml"), text)
      const checked = spawnSync("promtool", ["check", "config", join(copy, "prometheus.yaml")], { encoding: "utf8" })
      assert.strictEqual(checked.status, 0, checked.stderr)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
)

const nginx = "/usr/sbin/nginx"
const hasNginx = existsSync(nginx)

it(`the proxy accepts the largest upload and streams it${hasNginx ? ", and nginx takes the file" : ""}`, () => {
  const conf = read("nginx.conf")
  const [, mebibytes = "0"] = /^ {4}client_max_body_size (\d+)m;$/m.exec(conf) ?? []
  assert.isAbove(Number(mebibytes) * 1_048_576, mostMediaBytes, "the API refuses larger ones in its own words")
  const [, uploads = ""] = /location \/v1\/media\/blobs\/ \{(.*?)\n {4}\}/s.exec(conf) ?? []
  assert.include(uploads, "proxy_request_buffering off;")
  const timeouts = [...conf.matchAll(/proxy_read_timeout (\d+)s;/g)].map(([, seconds]) => Number(seconds))
  assert.isAbove(Math.min(...timeouts), 25, "a long poll is held for 25 seconds")
  if (!hasNginx) return
  const copy = mkdtempSync(join(tmpdir(), "carteiro-nginx-"))
  try {
    // The names of edges are known in the network of the compose file alone.
    writeFileSync(join(copy, "site.conf"), conf.replaceAll(/server edge-\d:/g, "server 127.0.0.1:"))
    const whole = `pid ${copy}/pid; error_log stderr; events {} http { access_log off; include ${copy}/site.conf; }`
    writeFileSync(join(copy, "nginx.conf"), whole)
    for (const path of [join(copy, "nginx.conf"), join(folder, "prometheus/metrics-sidecar.conf")]) {
      const { status, stderr } = spawnSync(nginx, ["-t", "-c", path], { encoding: "utf8" })
      assert.strictEqual(status, 0, stderr)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
