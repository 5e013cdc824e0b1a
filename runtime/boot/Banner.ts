import type { DevFile } from "./DevFile.ts"

/** Facts for a person at a terminal, printed once requests are taken. */
export interface BannerFacts {
  readonly version: string
  readonly baseUrl: string
  /** Metrics and detailed health. */
  readonly adminUrl: string
  /** In development: the demo organization, and the file that its keys are in. */
  readonly demo: { readonly file: DevFile; readonly path: string } | undefined
}

/** Where everything is, and a first request that works as it stands. Boot contract, "Ready" */
export const banner = ({ adminUrl, baseUrl, demo, version }: BannerFacts): string => {
  const places = [
    ["Docs", `${baseUrl}/docs`],
    ["Dashboard", demo?.file.dashboard.sign_in_url ?? `${baseUrl}/dashboard`],
    ...(demo === undefined ? [] : [["Keys", demo.path]]),
    ["Health", `${adminUrl}/health/ready`]
  ]
  return [
    "",
    `  Carteiro ${version} takes requests at ${baseUrl}`,
    "",
    ...places.map(([name = "", place]) => `  ${name.padEnd(9)}  ${place}`),
    ...(demo === undefined ? [] : firstRequest(baseUrl, demo.file)),
    "",
    "  Ctrl-C stops it.",
    "",
    ""
  ].join("\n")
}

/** Prints the banner where a person reads it; piped output carries only what the boot contract promises. */
export const showBanner = (facts: BannerFacts): void => {
  if (process.stdout.isTTY === true) process.stdout.write(banner(facts))
}

const firstRequest = (baseUrl: string, { dashboard, sandbox }: DevFile): ReadonlyArray<string> => [
  "",
  "  The dashboard's link signs in once, within 15 minutes. Another one:",
  `  npm run operator -- sign-in --email ${dashboard.email}`,
  "  Begin with its Chat page: write to the sandbox as a customer and watch what follows.",
  "",
  "  A first request, in another terminal:",
  `  curl ${baseUrl}/v1/sandbox/quickstart -H "Authorization: Bearer ${sandbox.api_key}"`
]
