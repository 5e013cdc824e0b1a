import { join } from "node:path"
import { startCallers } from "./callers.mjs"
import { say, seconds } from "./drill.mjs"
import { here, nodesOf, rolling, seed, settingsOf, startPlatform } from "./nodes.mjs"
import { servers } from "./postgres.mjs"
import { startReceiver } from "./product.mjs"

/**
 * Starts two shards and two edges of the release in `code` over a database, with a chat platform, a receiver of webhooks and
 * callers in both environments. `settings` stand beside those of every drill, `settingsOfNode` beside those of one node.
 */
export const startInstallation = async (
  ground,
  { code = here, masterKey, platformSecret, settings = {}, settingsOfNode = () => ({}) }
) => {
  const database = await servers(ground).init("database", "max_connections=200")
  await database.query("postgres", "create database carteiro")
  const platform = await startPlatform(ground, masterKey, platformSecret)
  const receiver = await startReceiver(ground)
  const env = {
    ...settingsOf(database.url("carteiro"), join(ground.folder, "data"), masterKey),
    ...platform.env,
    ...settings,
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin
  }
  const dev = await seed(ground, code, env)
  const shards = await nodesOf(ground, "shard", 2, code, env)
  const [first, second, spare] = await nodesOf(ground, "edge", 3, code, env)
  for (const node of [...shards, first, second]) await node.start({ env: settingsOfNode(node) })
  const nodes = rolling({ shards, edges: [first, second], spare })
  const [[phone]] = await database.query(
    "carteiro",
    `select phone from phone_numbers where id = '${dev.production.phone_number_id}'`
  )
  await platform.reportTo(first.url, phone)
  const load = await startCallers({ targets: nodes.serving, dev, origin: receiver.origin })

  /** Starts every node anew with what `changesOf` returns for it, while callers go on; no call may fail. */
  const roll = async (name, changesOf, calls = 50) => {
    await nodes.roll(changesOf, async () => {
      await platform.reportTo(nodes.serving().at(-1).url, phone)
      await load.goOn(calls)
    })
    const { answers, failed, longestGapMs, slowestMs } = load.lap()
    ground.expect(`${name}: ${answers} calls, of them failed: ${failed}`, failed === 0)
    for (const failure of load.failures.slice(-failed || load.failures.length).slice(0, 10)) say(failure)
    say(`${name}: the slowest call took ${seconds(slowestMs)} seconds, missed for ${seconds(longestGapMs)} seconds`)
  }

  return { database, dev, env, load, platform, receiver, roll, serving: nodes.serving, shards, spare: nodes.spare }
}

/** Expects that everything that callers were told is accepted comes to its end once, and that receivers are told of it. */
export const expectDelivered = async ({ expect }, { database, load, platform, receiver }) => {
  const left = await load.settled()
  const { production, sandbox } = load.sent
  expect(
    `messages accepted: ${sandbox.length} of the sandbox, ${production.length} of production`,
    sandbox.length > 0 && production.length > 0
  )
  expect(`of them not delivered at the end: ${left.length}`, left.length === 0)
  for (const id of left.slice(0, 3)) {
    const [found] = await database.query(
      "carteiro",
      `select status, error_code, error_message from messages where id = '${id}'`
    )
    say(`${id}: ${found?.join(", ")}`)
  }
  const taken = await platform.taken()
  const wrong = production.filter((id) => taken.get(id) !== 1)
  expect(`messages of production that the platform did not take exactly once: ${wrong.length}`, wrong.length === 0)
  const lacking = await load.unannounced(receiver.events)
  expect(`messages whose delivery no webhook told: ${lacking.length}`, lacking.length === 0)
}
