// A drill of a shard whose machine is slow, but not dead: it stands still nine tenths of the time, for half a second at once,
// while callers of many environments send. Then it stands still for longer than the lease of its locks, and wakes up. It prints
// what callers of its owners notice, what callers of all others notice, what its metrics show, and whether the other nodes take
// its shards over. Ends with 1 when a call is refused or a message is lost, when the others take over the shards of a node that
// is merely slow, or when they leave those of one that stands still.
//
//   node_modules/.bin/node deploy/drills/slow-shard.mjs
//
// Takes PostgreSQL's server programs from PGBIN, Debian's postgresql or the embedded PostgreSQL.
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { call, settled } from "./kit/callers.mjs"
import { drill, pause, say, seconds, until } from "./kit/drill.mjs"
import { makeFolder, servers } from "./kit/postgres.mjs"
import { caller, settingsOver, startCluster } from "./kit/product.mjs"

const tenants = 15
const everyMs = 300
const limp = { stopMs: 450, goMs: 50, times: 40 }
/** Longer than the lease of the locks of a node's shards, which is six seconds. */
const frozenMs = 9000

/** Environments with a number each, and the shards that their owners woke up in. */
const makeTenants = async (dev, url, shards, query) => {
  const { sandbox } = dev
  const post = async (path, body) => {
    const answer = await call(url, sandbox.api_key, "POST", path, body)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const metric = async ({ admin }, pattern) =>
    [...(await (await fetch(`${admin}/metrics`)).text()).matchAll(pattern)].reduce((sum, [, value]) => sum + +value, 0)
  const owners = () =>
    Promise.all(shards.map((shard) => metric(shard, /^owner_resident\{owner="(?:Environment|PhoneNumber)"\} (\d+)$/gm)))
  const made = []
  for (let n = 0; n < tenants; n++) {
    const project = await post("/v1/projects", { name: `Tenant ${n}` })
    const scopes = ["messages:write", "messages:read", "sandbox:write"]
    const asked = { name: "drill", environment: "sandbox", project_id: project.id, scopes }
    const { secret } = await post("/v1/api-keys", asked)
    const [[number]] = await query(
      `select id from phone_numbers where environment_id = '${project.environments[0].id}'`
    )
    const client = caller({ base_url: url, sandbox: { api_key: secret, phone_number_id: number } })
    const before = await owners()
    await until(async () => (await client.write(0, "window")).status < 300, "the opening of a window")
    const after = await owners()
    made.push({
      client,
      environment: project.environments[0].id,
      homes: shards.filter((_, at) => after[at] > before[at])
    })
  }
  return made
}

/** Sends of one environment, one after the other, each repeated with its key until it is answered, as callers do. */
const startSender = ({ client }) => {
  const calls = []
  let isStopped = false
  const sends = (async () => {
    while (!isStopped) {
      const [key, begun] = [randomUUID(), performance.now()]
      const one = { begun, tries: 0, tookMs: 0, id: undefined, refused: undefined }
      while (one.id === undefined && one.refused === undefined && one.tries < 600) {
        if (one.tries++ > 0) await pause(100)
        const answer = await client.send(0, key, key).catch(() => undefined)
        if (answer?.status === 202) one.id = answer.body.id
        else if (answer !== undefined && answer.status < 500 && ![409, 429].includes(answer.status))
          one.refused = answer
      }
      one.tookMs = performance.now() - begun
      calls.push(one)
      await pause(everyMs)
    }
  })()
  return {
    calls,
    stop: () => {
      isStopped = true
      return sends
    }
  }
}

const figures = (calls) => {
  const took = calls.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  const at = (share) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))])
  const repeated = calls.filter(({ tries }) => tries > 1).length
  return {
    longest: took.at(-1),
    repeated,
    text: `${calls.length} sends, median ${at(0.5)} ms, longest ${Math.round(took.at(-1))} ms, ${repeated} repeated`
  }
}

await drill("slow-shard", async (ground) => {
  const { expect, folder } = ground
  const server = await servers(ground).init("database", "max_connections=200")
  await server.query("postgres", "create database carteiro")
  const query = (statement) => server.query("carteiro", statement)
  const product = await startCluster(
    ground,
    settingsOver(server.url("carteiro"), makeFolder(join(folder, "product")), {
      CARTEIRO_SANDBOX_STATUS_DELAY_MS: "50"
    })
  )
  const [edge] = product.nodes.filter(({ role }) => role === "edge")
  const shards = product.nodes.filter(({ role }) => role === "shard")
  const all = await makeTenants(product.dev, edge.http, shards, query)
  const victim = shards.find((shard) => {
    const count = all.filter(({ homes }) => homes.includes(shard)).length
    return count > 0 && count < tenants
  })
  const isSlow = ({ homes }) => homes.includes(victim)
  say(`three shards and an edge; the slow shard has owners of ${all.filter(isSlow).length} of ${tenants} environments`)

  const signal = (name) => process.kill(victim.pid, name)
  // A process that stands still cannot be stopped at the end.
  ground.atEnd(() => signal("SIGCONT"))
  const lag = async ({ admin }) =>
    Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[1])
  /** The sessions that hold the shards' locks, and how many shards each holds. */
  const holders = async () =>
    new Map(
      await query(`select s.address || ' ' || s.started_at, (select count(*) from pg_locks l
        where l.pid = s.pid and l.locktype = 'advisory' and l.objsubid = 2 and l.granted) from runner_sessions s`)
    )
  const same = (one, other) => JSON.stringify([...one].toSorted()) === JSON.stringify([...other].toSorted())

  const accepted = []
  /** Plays something while all send, and tells what was noticed. */
  const played = async (name, play) => {
    const senders = all.map((tenant) => ({ tenant, ...startSender(tenant) }))
    await play()
    await Promise.all(senders.map(({ stop }) => stop()))
    const of = (which) => senders.filter(({ tenant }) => which(tenant)).flatMap(({ calls }) => calls)
    const [slow, others] = [figures(of(isSlow)), figures(of((tenant) => !isSlow(tenant)))]
    say(`${name}, owners of the slow shard: ${slow.text}`)
    say(`${name}, all others: ${others.text}`)
    const calls = of(() => true)
    accepted.push(...senders.flatMap(({ calls, tenant }) => calls.map(({ id }) => ({ id, tenant }))))
    const unanswered = calls.filter(({ id }) => id === undefined).length
    expect(`${name}: refused or unanswered: ${unanswered}`, unanswered === 0)
    return { slow, others }
  }

  await played("before", () => pause(5000))
  const held = await holders()

  const lags = []
  const limping = await played("slow", async () => {
    for (let turn = 0; turn < limp.times; turn++) {
      signal("SIGSTOP")
      await pause(limp.stopMs)
      signal("SIGCONT")
      await pause(limp.goMs)
    }
    lags.push(...(await Promise.all(shards.map(async (shard) => [shard, await lag(shard)]))))
  })
  expect(`slow: of the others repeated: ${limping.others.repeated}`, limping.others.repeated === 0)
  const [own, highest] = [
    lags.find(([shard]) => shard === victim)[1],
    Math.max(...lags.flatMap(([shard, value]) => (shard === victim ? [] : value)))
  ]
  expect(
    `slow: its event loop stands still for ${own.toFixed(2)} seconds, of the other shards at most ${highest.toFixed(2)}`,
    own > highest
  )
  const isKept = same(held, await holders())
  expect(`slow: it keeps the session of its locks, and no shard moves: ${isKept}`, isKept)

  let tookOverMs
  const frozen = await played("frozen", async () => {
    const begun = performance.now()
    signal("SIGSTOP")
    await until(async () => !same(held, await holders()), "the take-over of its shards", frozenMs * 4)
    tookOverMs = performance.now() - begun
    await pause(Math.max(0, frozenMs - tookOverMs))
    signal("SIGCONT")
    await until(
      async () => [...(await holders()).values()].reduce((sum, count) => sum + Number(count), 0) === 128,
      "all shards"
    )
    await pause(2000)
  })
  say(`frozen: the server ends the session of its locks after ${seconds(tookOverMs)} seconds`)
  expect(
    "frozen: the longest wait of the others is less than half of that of its owners' callers",
    frozen.others.longest < frozen.slow.longest / 2
  )

  let lost = 0
  for (const tenant of all) {
    const ids = accepted.flatMap((one) => (one.tenant === tenant ? one.id : []))
    lost += (await settled((id) => tenant.client.call("GET", `messages/${id}`), ids)).length
    const [[count]] = await query(
      `select count(*) from messages where direction = 'outbound' and environment_id = '${tenant.environment}'`
    )
    lost += Math.abs(Number(count) - ids.length)
  }
  expect(`accepted messages that are lost, there twice or not delivered: ${lost} of ${accepted.length}`, lost === 0)
})
