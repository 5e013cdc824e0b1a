#!/usr/bin/env bash
# HashRing.getShards of effect promises a balanced distribution. It gives each of n equal nodes floor(count / n) shards, and
# then hands out the remainder (of 128 shards over 12 nodes: 8) by nearness alone, without a limit: one node gets several
# of them while others get none. A node of twelve has 10 to 16 shards where 10 or 11 would be even.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund effect@4.1.0 2>/dev/null
cat > run.mjs <<'JS'
import * as HashRing from "effect/HashRing"
import * as PrimaryKey from "effect/PrimaryKey"
const shards = 128
const sizesOf = (nodes, ring) => {
  const members = Array.from({ length: nodes }, (_, n) => {
    const name = `10.${ring}.0.${n + 1}:34431`
    return { name, [PrimaryKey.symbol]: () => name }
  })
  const owned = new Map(members.map(({ name }) => [name, 0]))
  const assigned = HashRing.getShards(HashRing.addMany(HashRing.make(), members), shards)
  for (const { name } of assigned) owned.set(name, owned.get(name) + 1)
  return [...owned.values()]
}
let isPiled = false
for (const nodes of [8, 12, 24, 48]) {
  const sizes = Array.from({ length: 50 }, (_, ring) => sizesOf(nodes, ring)).flat()
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const [even, fair] = [Math.floor(shards / nodes), Math.ceil(shards / nodes)]
  console.log(`effect 4.1.0, ${nodes} equal nodes, 50 rings: ${least} to ${most} of ${shards} shards a node; even are ${even} to ${fair}`)
  isPiled ||= most > fair + 1
}
process.exit(isPiled ? 0 : 1)
JS
node run.mjs
