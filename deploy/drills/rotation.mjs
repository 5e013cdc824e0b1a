// A drill of rotation under load: the master key, the certificates between nodes with their authority, and the secrets that
// vendors sign with (each by its own scheme) are changed in three rounds of restarts, one node after the other, while callers send,
// payers pay at a bank and vendors call. What the old master key made is then made anew, the client certificate of the
// account at the bank included, whose first one the bank revokes, and a fourth round drops that key. It prints what callers and
// vendors noticed, and what an edge without the old key does before that. Ends with 1 when a call of callers or vendors was
// refused, or when a message or a payment is missing.
//
//   node_modules/.bin/node deploy/drills/rotation.mjs
//
// Needs openssl.
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { call } from "./kit/callers.mjs"
import { drill, pause, say } from "./kit/drill.mjs"
import { expectDelivered, startInstallation } from "./kit/installation.mjs"
import { here, newMasterKey } from "./kit/nodes.mjs"
import { caller } from "./kit/product.mjs"
import {
  newVendorSecret,
  signedCalls,
  startBank,
  startOwnVendors,
  startPixAccount,
  startPublicAddress
} from "./kit/vendors.mjs"

/** Settings of what vendors' calls are verified by, each with its part of a vendor's secret. */
const secretSettings = [
  ["CARTEIRO_UPSTREAM_APP_SECRET", "text"],
  ["CARTEIRO_CARDPROC_WEBHOOK_SECRET", "text"],
  ["CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET", "text"],
  ["CARTEIRO_NUMPROV_WEBHOOK_SECRET", "publicKey"]
]
/** Returns the settings of a present secret, and of one that is accepted beside it. */
const secretsOf = (present, second) =>
  Object.fromEntries(
    secretSettings.flatMap(([name, part]) => [
      [name, present[part]],
      [`${name}_SECOND`, second?.[part] ?? ""]
    ])
  )

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

/**
 * Makes anew what callers hold and nodes keep of the old master key; `dev` has the new API keys from then on. Returns the
 * connection of the account at the bank, which has another certificate.
 */
const makeAnew = async (url, dev, platform, pix, certificate) => {
  const ask = async (environment, method, path, body) => {
    const key = { "idempotency-key": `anew ${environment} ${path}` }
    const answer = await call(url, dev[environment].api_key, method, `/v1/${path}`, body, method === "POST" ? key : {})
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  for (const environment of ["sandbox", "production"]) {
    for (const { id } of (await ask(environment, "GET", "webhook-endpoints")).data) {
      await ask(environment, "POST", `webhook-endpoints/${id}/rotate-secret`)
    }
    const { api_key } = await ask(environment, "GET", "me")
    // A key that is made by another one cannot make keys.
    const scopes = api_key.scopes.filter((scope) => scope !== "api_keys:admin")
    const { secret } = await ask(environment, "POST", "api-keys", { name: "made anew", environment, scopes })
    dev[environment].api_key = secret
  }
  for (const { id } of (await ask("production", "GET", "provider-connections?provider=upstream")).data) {
    await ask("production", "POST", `provider-connections/${id}/rotate-token`, { access_token: platform.newToken() })
  }
  return pix.enter(certificate)
}

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

  const [oldKey, newKey] = [newMasterKey(), newMasterKey()]
  const [oldSecret, newSecret] = [newVendorSecret(), newVendorSecret()]
  const fileName = ({ name }) => name.replace(" ", "-")
  const address = await startPublicAddress(ground)
  const bank = await startBank(ground, join(folder, "data"))
  const installation = await startInstallation(ground, {
    masterKey: oldKey,
    platformSecret: oldSecret.text,
    settings: {
      ...secretsOf(oldSecret),
      ...(await startOwnVendors(ground)),
      ...bank.env,
      CARTEIRO_PUBLIC_URL: address.url
    },
    settingsOfNode: (node) => filesOf(fileName(node), 0)
  })
  const { dev, load, platform, serving, shards } = installation
  address.target = () => serving().at(-1).url
  const pix = await startPixAccount(address.url, dev, bank)

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

  const round = (number, what, changes) =>
    installation.roll(
      `round ${number}, ${what}`,
      (node) => ({ env: { ...changes, ...filesOf(fileName(node), number) } }),
      40
    )

  /** Repeats one call under its key at a node. */
  const repeat = ({ url }) => caller({ ...dev, base_url: url }).write(0, "made under the old key")
  const made = await repeat(serving()[0])
  load.lap()
  await load.goOn(50)
  certificates("--begin-authority")
  await round(1, "every node learns the new key, authority and secrets", {
    CARTEIRO_MASTER_KEY: `${oldKey},${newKey}`,
    ...secretsOf(oldSecret, newSecret)
  })
  vendorSecret = newSecret
  platform.simulator.world.options.appSecret = newSecret.text
  say("vendors sign with their new secrets")
  await load.goOn(50)
  makeAll()
  const bothKeys = { CARTEIRO_MASTER_KEY: `${newKey},${oldKey}` }
  await round(2, "every node uses the new ones", { ...bothKeys, ...secretsOf(newSecret, oldSecret) })
  certificates("--end-authority")
  // An edge that stood aside in the last round knows nothing of its settings.
  await round(3, "old authority and secrets are dropped", { ...bothKeys, ...secretsOf(newSecret) })

  // An edge that takes no calls of others loses the old key too early.
  const early = installation.spare()
  await early.start({ env: { CARTEIRO_MASTER_KEY: newKey, ...filesOf(fileName(early), 3) } })
  const stranger = await repeat(early)
  expect(`dropped too early: an API key of before is answered ${stranger.status}`, stranger.status === 401)
  const oldApiKey = dev.sandbox.api_key
  const later = bank.issue("second")
  const renewed = await makeAnew(serving()[0].url, dev, platform, pix, later)
  await pix.goOn(10)
  bank.revoke(bank.first)
  await pix.goOn(10)
  expect(
    `the account at the bank has another certificate and is the same: ${renewed === pix.connection}`,
    renewed === pix.connection
  )
  const [known, doubled] = [await repeat(serving()[0]), await repeat(early)]
  expect(
    `a call of before, repeated under its key, is the same where the old key is listed: ${known.body.id === made.body.id}`,
    known.body.id === made.body.id
  )
  expect(
    `dropped too early: that call is carried out a second time: ${doubled.body.id !== made.body.id}`,
    doubled.status === made.status && doubled.body.id !== made.body.id
  )
  await early.stop()
  await round(4, "the old master key is dropped", { CARTEIRO_MASTER_KEY: newKey, ...secretsOf(newSecret) })
  stopped = true
  await vendors
  await load.stop()
  const paid = await pix.stop()
  const notices = pix.notices()
  const untaken = notices.refused.map(({ status }) => `a notice of the bank: ${status}`)
  for (const failure of [...refused, ...untaken, ...paid.left, ...pix.failures, ...load.failures].slice(0, 20))
    say(failure)
  expect(`payments at the bank: ${paid.count}, of them refused: ${pix.failures.length}`, pix.failures.length === 0)
  expect(`of them not paid at the end: ${paid.left.length}`, paid.count > 0 && paid.left.length === 0)
  expect(`notices of the bank: ${notices.count}, of them refused: ${untaken.length}`, untaken.length === 0)
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

  const { status } = await call(url, oldApiKey, "GET", "/v1/me")
  expect(`an API key that the old master key made is answered ${status}`, status === 401)
  await expectDelivered(ground, installation)
})
