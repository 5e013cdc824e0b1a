// A drill of edges behind a proxy that repeats requests: nginx with the shipped deploy/nginx.conf before two edges, one
// of which loses every third answer after it has done what was asked. With an Idempotency-Key nothing happens twice,
// whether callers repeat or the proxy does (`proxy_next_upstream … non_idempotent`). Without a key the shipped file sends
// a request once and answers 502; a proxy that repeats it makes messages twice, which the drill counts. Ends with 1 when
// anything with a key happens twice, or anything without one behind the shipped file.
//
//   node_modules/.bin/node deploy/drills/proxy.mjs
//
// Needs nginx (Debian: nginx), and PostgreSQL's server programs from PGBIN, Debian's postgresql or the embedded PostgreSQL.
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { join } from "node:path"
import { drill, freePort, say, until } from "./kit/drill.mjs"
import { openWindows } from "./kit/load.mjs"
import { makeFolder, servers } from "./kit/postgres.mjs"
import { caller, settingsOver, startCluster } from "./kit/product.mjs"

const calls = 60
const shipped = readFileSync(new URL("../nginx.conf", import.meta.url), "utf8")
if (spawnSync("nginx", ["-v"]).status !== 0) {
  process.stderr.write("nginx is missing: install Debian's nginx.\n")
  process.exit(1)
}

/** An edge behind a relay that does what is asked, and loses every third answer to a POST. */
const losingAnswers = async (edge, { atEnd }, lost) => {
  let posts = 0
  const relay = createServer((incoming, outgoing) => {
    const { headers, method, url } = incoming
    const forward = request(new URL(url, edge), { method, headers }, (answer) => {
      if (method === "POST" && ++posts % 3 === 0) {
        lost()
        answer.resume().on("end", () => outgoing.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forward)
  })
  await new Promise((resolve) => relay.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    relay.close()
    relay.closeAllConnections()
  })
  return relay.address().port
}

/** The rest of nginx's configuration, which its package and its image bring. */
const around = (server, prefix) => `
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${prefix}.pid;
error_log /dev/null;
events {}
http {
  access_log off;
  client_body_temp_path ${prefix}-body;
  proxy_temp_path ${prefix}-proxy;
  fastcgi_temp_path ${prefix}-fastcgi;
  uwsgi_temp_path ${prefix}-uwsgi;
  scgi_temp_path ${prefix}-scgi;
${server}
}
`

await drill("proxy", async (ground) => {
  const { atEnd, expect, folder } = ground
  const database = await servers(ground).init("database", "max_connections=200")
  await database.query("postgres", "create database carteiro")
  const env = settingsOver(database.url("carteiro"), makeFolder(join(folder, "product")))
  const { dev, nodes } = await startCluster(ground, env, { edges: 2, shards: 1 })
  const [one, two] = nodes.filter(({ role }) => role === "edge").map(({ http }) => http)
  await openWindows(caller(dev))

  let lostAnswers = 0
  const losing = await losingAnswers(one, ground, () => ++lostAnswers)
  const proxy = async (name, text) => {
    const port = await freePort()
    const config = join(folder, `${name}.conf`)
    const server = text
      .replace("edge-1:8080", `127.0.0.1:${losing} max_fails=0`)
      .replace("edge-2:8080", new URL(two).host)
      .replace("listen 8080", `listen 127.0.0.1:${port}`)
    writeFileSync(config, around(server, join(folder, name)))
    const child = spawn("nginx", ["-c", config, "-g", "daemon off;"], { stdio: ["ignore", "ignore", "inherit"] })
    atEnd(() => child.kill("SIGTERM"))
    const base_url = `http://127.0.0.1:${port}`
    await until(() => fetch(`${base_url}/health`).catch(() => undefined), "the start of nginx")
    return caller({ ...dev, base_url })
  }
  const once = await proxy("shipped", shipped)
  const repeating = await proxy("repeating", shipped.replace("proxy_next_upstream error timeout", "$& non_idempotent"))

  const stored = async () => {
    const [[count]] = await database.query("carteiro", "select count(*) from messages where direction = 'outbound'")
    return Number(count)
  }
  /** Sends, by callers who repeat until they are answered or who call once, and counts what came of it. */
  const play = async (client, name, keyed, tries) => {
    const [lostBefore, storedBefore] = [lostAnswers, await stored()]
    const statuses = new Map()
    for (let number = 0; number < calls; number++) {
      for (let left = tries; left > 0; left--) {
        const { status } = await client.send(number % 20, name, keyed ? `${name} ${number}` : undefined)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status < 500) break
      }
    }
    const made = (await stored()) - storedBefore
    const answers = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ")
    const line = `${name}: ${calls} messages, ${lostAnswers - lostBefore} answers lost; callers got ${answers}; there twice ${made - calls}`
    return { line, made, isHurt: lostAnswers > lostBefore }
  }
  for (const [client, name, tries] of [
    [once, "the shipped file, with keys, callers repeat", 20],
    [repeating, "a proxy that repeats, with keys", 1]
  ]) {
    const { isHurt, line, made } = await play(client, name, true, tries)
    expect(line, isHurt && made === calls)
  }
  const alone = await play(once, "the shipped file, without keys", false, 1)
  expect(alone.line, alone.isHurt && alone.made === calls)
  say((await play(repeating, "a proxy that repeats, without keys", false, 1)).line)
})
