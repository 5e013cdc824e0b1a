// A drill of rotation under load: the master key, the certificates between nodes with their authority, and the secrets that
// vendors sign with are changed in three rounds of restarts, one node after the other, while callers send and vendors call.
// It prints what callers and vendors noticed. Ends with 1 when a call of either was refused, or when a message is missing.
//
//   node_modules/.bin/node deploy/drills/rotation.mjs
//
// Needs openssl.
import { execFileSync } from "node:child_process"
import { createHmac, randomBytes } from "node:crypto"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { startCallers } from "./kit/callers.mjs"
import { drill, pause, say, seconds } from "./kit/drill.mjs"
import { here, newMasterKey, nodesOf, rolling, seed, settingsOf, startPlatform } from "./kit/nodes.mjs"
import { servers } from "./kit/postgres.mjs"
import { startReceiver } from "./kit/product.mjs"

/** Settings of secrets that vendors sign with; the present one, and the one that is accepted beside it. */
const secretSettings = [
  "CARTEIRO_UPSTREAM_APP_SECRET",
  "CARTEIRO_CARDPROC_WEBHOOK_SECRET",
  "CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET",
  "CARTEIRO_NUMPROV_WEBHOOK_SECRET"
]
const secretsOf = (present, second) =>
  Object.fromEntries(
    secretSettings.flatMap((name) => [
      [name, present],
      [`${name}_SECOND`, second ?? ""]
    ])
  )

/** Calls as each vendor signs them with a secret. */
const signedCalls = (secret) => {
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString("hex")}`,
    type: "drill",
    object: "drill",
    data: {},
    entry: []
  })
  const hmac = (text) => createHmac("sha256", secret).update(text).digest("hex")
  const t = Math.floor(Date.now() / 1000)
  const provider = { "x-provider-signature": `t=${t},v1=${hmac(`${t}.${body}`)}` }
  return [
    ["upstream", { "x-hub-signature-256": `sha256=${hmac(body)}` }],
    ["cardproc", provider],
    ["pixprov2/platform", provider],
    ["numprov/platform", provider]
  ].map(([path, headers]) => ({ path: `/webhooks/${path}`, headers, body }))
}

/** Says something to a runner with a certificate; returns whether the runner answers. */
const isBelieved = (port, { ca, cert, key }) =>
  new Promise((resolve) => {
    let said = ""
    const socket = connect({ host: "127.0.0.1", port, ca, cert, key })
    socket.on("secureConnect", () => socket.write('{"_tag":"Ping"}\n'))
    socket.on("data", (data) => {
      said += data
      socket.end()
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(said.includes("Pong")))
  })

await drill("rotation", async (ground) => {
  const { expect, folder } = ground
  const names = ["shard-1", "shard-2", "edge-1", "edge-2", "edge-3"]
  cpSync(join(here, "deploy/make-certificates.sh"), join(folder, "make-certificates.sh"))
  const certificates = (...words) =>
    execFileSync("sh", [join(folder, "make-certificates.sh"), ...words], { stdio: ["ignore", "pipe", "pipe"] })
  const makeAll = () => certificates(...names.map((name) => `${name}=127.0.0.1`))
  /** The files of a node: each round writes them into a folder of its own, as a copy to the node's machine does. */
  const filesOf = (name, round) => {
    const to = join(folder, `round-${round}`, name)
    if (!existsSync(to)) cpSync(join(folder, "tls", name), to, { recursive: true })
    return {
      CARTEIRO_RUNNER_TLS_CA: join(to, "ca.pem"),
      CARTEIRO_RUNNER_TLS_CERT: join(to, `${name}.pem`),
      CARTEIRO_RUNNER_TLS_KEY: join(to, `${name}.key`)
    }
  }
  const pemOf = (name, round) => {
    const { CARTEIRO_RUNNER_TLS_CA, CARTEIRO_RUNNER_TLS_CERT, CARTEIRO_RUNNER_TLS_KEY } = filesOf(name, round)
    const [ca, cert, key] = [CARTEIRO_RUNNER_TLS_CA, CARTEIRO_RUNNER_TLS_CERT, CARTEIRO_RUNNER_TLS_KEY].map((path) =>
      readFileSync(path)
    )
    return { ca, cert, key }
  }
  makeAll()

  const server = await servers(ground).init("database", "max_connections=200")
  await server.query("postgres", "create database carteiro")
  const [oldKey, newKey] = [newMasterKey(), newMasterKey()]
  const [oldSecret, newSecret] = [randomBytes(20).toString("hex"), randomBytes(20).toString("hex")]
  const platform = await startPlatform(ground, oldKey, oldSecret)
  const receiver = await startReceiver(ground)
  const env = {
    ...settingsOf(server.url("carteiro"), join(folder, "data"), oldKey),
    ...platform.env,
    ...secretsOf(oldSecret),
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin
  }
  const dev = await seed(ground, here, env)
  const shards = await nodesOf(ground, "shard", 2, here, env)
  const [spare, ...edges] = (await nodesOf(ground, "edge", 3, here, env)).toReversed()
  const fileName = ({ name }) => name.replace(" ", "-")
  for (const node of [...shards, ...edges]) await node.start({ env: filesOf(fileName(node), 0) })
  const { roll, serving } = rolling({ shards, edges, spare })
  const [[phone]] = await server.query(
    "carteiro",
    `select phone from phone_numbers where id = '${dev.production.phone_number_id}'`
  )
  await platform.reportTo(edges[0].url, phone)
  const load = await startCallers({ targets: serving, dev, origin: receiver.origin })

  // Vendors call all the while, with the secret that they have at the time.
  const refused = []
  let [vendorSecret, vendorCalls, stopped] = [oldSecret, 0, false]
  const vendors = (async () => {
    while (!stopped) {
      for (const { body, headers, path } of signedCalls(vendorSecret)) {
        const { url } = serving().at(-1)
        const answer = await fetch(`${url}${path}`, { method: "POST", headers, body }).catch((error) => error)
        vendorCalls++
        if (answer.status !== 200) refused.push(`${path}: ${answer.status ?? answer.cause?.code}`)
      }
      await pause(100)
    }
  })()

  const round = async (number, what, changes) => {
    await roll(
      (node) => ({ env: { ...changes, ...filesOf(fileName(node), number) } }),
      async () => {
        await platform.reportTo(serving().at(-1).url, phone)
        await load.goOn(40)
      }
    )
    const { answers, failed, longestGapMs, slowestMs } = load.lap()
    expect(`round ${number}, ${what}: ${answers} calls, of them failed: ${failed}`, failed === 0)
    say(
      `round ${number}: the slowest call took ${seconds(slowestMs)} seconds, missed for ${seconds(longestGapMs)} seconds`
    )
  }

  load.lap()
  await load.goOn(50)
  certificates("--begin-authority")
  await round(1, "every node learns the new key, authority and secrets", {
    CARTEIRO_MASTER_KEY: `${oldKey},${newKey}`,
    ...secretsOf(oldSecret, newSecret)
  })
  vendorSecret = newSecret
  platform.simulator.world.options.appSecret = newSecret
  say("vendors sign with their new secrets")
  await load.goOn(50)
  makeAll()
  await round(2, "every node uses the new ones", {
    CARTEIRO_MASTER_KEY: `${newKey},${oldKey}`,
    ...secretsOf(newSecret, oldSecret)
  })
  certificates("--end-authority")
  await round(3, "old authority and secrets are dropped", secretsOf(newSecret))
  stopped = true
  await vendors
  await load.stop()
  for (const failure of [...load.failures, ...refused].slice(0, 10)) say(failure)
  expect(`calls of vendors: ${vendorCalls}, of them refused: ${refused.length}`, refused.length === 0)

  const { url } = serving()[0]
  const statuses = async (secret) =>
    Promise.all(
      signedCalls(secret).map(
        async ({ body, headers, path }) => (await fetch(`${url}${path}`, { method: "POST", headers, body })).status
      )
    )
  const late = await statuses(oldSecret)
  expect(
    `vendors' calls with the old secrets are answered ${late.join(", ")}`,
    late.every((status) => status === 401)
  )
  const { runnerPort: port } = shards[0]
  const [then, now] = [await isBelieved(port, pemOf("edge-1", 0)), await isBelieved(port, pemOf("edge-1", 3))]
  expect(`a shard believes a certificate of the new authority: ${now}, of the old one: ${then}`, now && !then)

  const left = await load.settled()
  const { production, sandbox } = load.sent
  expect(
    `messages accepted: ${sandbox.length} of the sandbox, ${production.length} of production`,
    production.length > 0
  )
  expect(`of them not delivered at the end: ${left.length}`, left.length === 0)
  const taken = await platform.taken()
  const wrong = production.filter((id) => taken.get(id) !== 1)
  expect(`messages of production that the platform did not take exactly once: ${wrong.length}`, wrong.length === 0)
  const lacking = await load.unannounced(receiver.events)
  expect(`messages whose delivery no webhook told: ${lacking.length}`, lacking.length === 0)
})
