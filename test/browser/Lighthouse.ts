import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Cookie } from "playwright-core"
import { launchAt } from "./Chromium.ts"

// Lighthouse brings 114 packages that nothing else needs, so it is installed apart, by its own lock file, when it is
// asked for. Decision 0080.

const folder = fileURLToPath(new URL("../lighthouse/", import.meta.url))
const program = join(folder, "node_modules/lighthouse/cli/index.js")
const run = promisify(execFile)

/** The least score of each category, of 100. */
const bars = { accessibility: 100, "best-practices": 100, performance: 95 } as const
type Category = keyof typeof bars

interface Report {
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: ReadonlyArray<{ readonly id: string }> }>
  >
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>
}

/** Installs it where it is missing, from the lock file and without scripts of packages. */
export const installLighthouse = async (): Promise<void> => {
  if (!existsSync(program)) await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder })
}

/** Ratings of a page at most: other work on the machine takes points for performance, and never gives any. */
const mostRatings = 3

/** Returns the best of some ratings of a page on a slow phone: the first that reaches every bar ends them. */
export const rate = async (...asked: Parameters<typeof rateOnce>): ReturnType<typeof rateOnce> => {
  let best = await rateOnce(...asked)
  for (let rated = 1; rated < mostRatings && best.wrong.every(isOfSpeed) && best.wrong.length > 0; rated++) {
    const next = await rateOnce(...asked)
    if (next.wrong.length === 0 || next.speed > best.speed) best = next
  }
  return best
}

const isOfSpeed = (text: string): boolean => text.startsWith("performance ")

/** Returns the scores of a page, and what is below its bar with the audits that cost it points. */
const rateOnce = async (
  address: string,
  options: { readonly chromium: string; readonly cookies: ReadonlyArray<Cookie> }
): Promise<{ readonly scores: string; readonly speed: number; readonly wrong: ReadonlyArray<string> }> => {
  const reports = await mkdtemp(join(tmpdir(), "carteiro-lighthouse-"))
  const output = join(reports, "report.json")
  // The browser holds the session, as a person's does: a header that is added to requests is on none of a stream of events.
  const { browser, port } = await launchAt(options.chromium, reports)
  await browser.addCookies(options.cookies)
  await run(process.execPath, [
    program,
    address,
    "--quiet",
    "--output=json",
    `--output-path=${output}`,
    `--only-categories=${Object.keys(bars).join(",")}`,
    `--port=${port}`,
    "--no-enable-error-reporting"
  ]).finally(() => browser.close())
  const { audits, categories } = JSON.parse(readFileSync(output, "utf8")) as Report
  await rm(reports, { recursive: true })
  const scored = (Object.keys(bars) as ReadonlyArray<Category>).map((category) => ({
    category,
    score: Math.round((categories[category].score ?? 0) * 100)
  }))
  return {
    speed: categories.performance.score ?? 0,
    scores: scored.map(({ category, score }) => `${category} ${score}`).join(", "),
    wrong: scored
      .filter(({ category, score }) => score < bars[category])
      .map(({ category, score }) => {
        const poor = categories[category].auditRefs
          .map(({ id }) => audits[id])
          .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 1)
        return `${category} ${score}: ${poor.map((audit) => audit?.title).join("; ")}`
      })
  }
}
