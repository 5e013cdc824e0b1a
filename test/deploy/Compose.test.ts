import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { settingsTable } from "@carteiro/runtime/boot/settings/SettingsTable.ts"
import { mostMediaBytes } from "@carteiro/schema/media/Media.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { load } from "js-yaml"

const folder = fileURLToPath(new URL("../../deploy/", import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), "utf8")

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks: unknown
  readonly ports?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
}

const { services } = load(read("compose.yaml")) as { readonly services: Readonly<Record<string, Service>> }
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
        const text = value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, asked: string) => {
          assert.property(given, asked, name)
          return given[asked] ?? ""
        })
        return [variable, text.replace(/\$\(.*?\)/, "secret")]
      })
      assert.strictEqual((yield* starts(Object.fromEntries(filled))).blobStore, "s3")
    }
    const unit = settingsOf("operations.md", "install -m 0640 -g carteiro /dev/stdin /etc/carteiro/shard-1.env <<'EOF'")
    assert.strictEqual((yield* starts(unit)).role, "shard")
  })
)

it("only the proxy is reached from outside; it is the one trusted to say whom a request comes from", () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
  assert.deepStrictEqual(
    published.map(([name]) => name),
    ["proxy"]
  )
  const proxied = services.proxy?.networks as { readonly inside: { readonly ipv4_address: string } } | undefined
  const conf = read("nginx.conf")
  for (const [name, { environment }] of withRole("edge")) {
    assert.strictEqual(environment?.CARTEIRO_TRUSTED_PROXIES, proxied?.inside.ipv4_address)
    assert.include(conf, `server ${name}:8080;`)
  }
  assert.include(conf, "proxy_set_header X-Forwarded-For $remote_addr;")
})

it("what a service waits for is there", () => {
  for (const [name, { depends_on = {} }] of Object.entries(services)) {
    for (const other of Object.keys(depends_on)) assert.property(services, other, name)
  }
})

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

const nginx = "/usr/sbin/nginx"
const hasNginx = existsSync(nginx)

it(`the proxy takes the largest upload and hands it on as it comes${hasNginx ? ", and nginx takes the file" : ""}`, () => {
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
    const { status, stderr } = spawnSync(nginx, ["-t", "-c", join(copy, "nginx.conf")], { encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
