/** The movements of a wallet that a client makes one after another; each ends once it is durable. */
export interface LedgerMoves {
  readonly holdAndSettle: (wallet: number) => ReadonlyArray<() => Promise<unknown>>
  readonly holdAndRelease: (wallet: number) => ReadonlyArray<() => Promise<unknown>>
  readonly use: (wallet: number) => Promise<unknown>
  /** Ends once everything that was used is charged. */
  readonly settled: () => Promise<unknown>
}

const clients = 64

/**
 * Runs a round for each line `go <seconds>` on stdin: 64 clients that hold and settle, hold and release, and use, each on
 * the next wallet. Says on stdout what the round came to, then `go done`.
 */
export const serveLedger = (wallets: number, moves: LedgerMoves): void => {
  const round = async (seconds: number) => {
    const times: Array<number> = []
    const started = performance.now()
    const ends = started + seconds * 1000
    const timed = async (move: () => Promise<unknown>) => {
      const began = performance.now()
      await move()
      times.push(performance.now() - began)
    }
    const client = async (number: number) => {
      for (let turn = number; performance.now() < ends; turn += clients) {
        const wallet = turn % wallets
        for (const move of moves.holdAndSettle(wallet)) await timed(move)
        for (const move of moves.holdAndRelease(wallet)) await timed(move)
        await timed(() => moves.use(wallet))
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
    await moves.settled()
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
    return { operations: times.length, seconds: (performance.now() - started) / 1000, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
  let text = ""
  process.stdin.on("data", async (chunk: Buffer) => {
    text += chunk.toString()
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const seconds = Number(text.slice(0, end).split(" ")[1])
      text = text.slice(end + 1)
      process.stdout.write(`round ${JSON.stringify(await round(seconds))}\ngo done\n`)
    }
  })
  process.stdout.write("ready\n")
}
