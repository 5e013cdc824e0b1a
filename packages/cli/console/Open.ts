import { openPage } from "../shell/Browser.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { pageOfId, sections } from "./Pages.ts"

/** Opens a section of the console, or the page of one thing, and prints its address. */
export const open = async (shell: Shell, page: string): Promise<void> => {
  const { baseUrl, profile } = await shell.access()
  const section = sections[page]
  const environmentId = async () =>
    profile?.environment_id ?? (await (await shell.client()).account.get()).environment.id
  const url =
    section === undefined
      ? page.includes("_")
        ? pageOfId(baseUrl, await environmentId(), page)
        : undefined
      : `${baseUrl}/dashboard${section}`
  if (url === undefined) throw usage(`there is no page ${page}`, `one of: ${Object.keys(sections).join(", ")}`)
  openPage(shell, url)
  shell.result({ url }, url)
}
