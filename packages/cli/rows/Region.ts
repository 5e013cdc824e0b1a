import { isPhoneRegion } from "@carteiro/spellings/Phone.ts"
import { exitCodes, failureOutput, usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"

/**
 * Returns the region in which numbers without + or 00 are read: that of `--region`, else the `default_region` of the
 * project. Asks for `--region` where the API does not tell it. gaps-2 A "Phones outside `recipient.id`"
 */
export const regionFor = async (shell: Shell, option: string | undefined): Promise<string> => {
  if (option !== undefined) return regionOf(option)
  const region = await projectRegion(shell)
  if (region !== undefined) return region
  throw usage(
    "a number is written without + or 00, and the region of the project is not known",
    "name the region of such numbers by its ISO 3166 code: --region BR"
  )
}

/** Returns the code of a region that was written. */
const regionOf = (region: string): string => {
  const code = region.toUpperCase()
  if (!isPhoneRegion(code)) throw usage(`${region} is no region`, "name one by its ISO 3166 code: --region BR")
  return code
}

/** Returns the `default_region` of the project; undefined where the API does not tell one. Refuses a key that it rejects. */
const projectRegion = async (shell: Shell): Promise<string | undefined> => {
  try {
    const client = await shell.client()
    const { project } = await client.account.get()
    return isPhoneRegion(project.default_region ?? "") ? project.default_region : undefined
  } catch (reason) {
    const { error, exitCode } = failureOutput(reason)
    if (exitCode === exitCodes.notLoggedIn && error.code !== "not_logged_in") throw reason
    return undefined
  }
}
