import { syncBuiltinESMExports } from "node:module"
import net, { type NetConnectOpts } from "node:net"

// Loaded into each process of the product by `--import`: what it dials at a runner's port goes to the proxy in front of it.

/** The setting that names the proxies: a JSON object from a runner's port to its proxy's. */
const roads: Readonly<Record<string, number>> = JSON.parse(process.env.FAULTS_LINK_ROADS ?? "{}")

const { connect } = net
net.connect = ((options: NetConnectOpts, ...rest: [never]) => {
  const road = "port" in options ? roads[options.port] : undefined
  return connect(road === undefined ? options : { ...options, port: road }, ...rest)
}) as typeof connect

syncBuiltinESMExports()
