import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { usage } from "../shell/Failure.ts"
import { safeFileName } from "../shell/FileNames.ts"
import type { Surroundings } from "../shell/Surroundings.ts"
import type { Profile } from "./Profile.ts"

/** Returns the platform's folder for settings. */
export const configFolder = ({ env, home, platform }: Surroundings): string => {
  if ((env.XDG_CONFIG_HOME ?? "") !== "") return join(env.XDG_CONFIG_HOME ?? "", "carteiro")
  if (platform === "darwin") return join(home, "Library/Application Support/carteiro")
  if (platform === "win32") return join(env.APPDATA ?? home, "carteiro")
  return join(home, ".config/carteiro")
}

/** Writes a file that only its owner can read. A crash leaves the old file or the new one, never a part. */
export const writePrivate = async (path: string, text: string): Promise<void> => {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 })
  const next = `${path}.${randomUUID()}`
  await writeFile(next, text, { mode: 0o600 })
  await rename(next, path)
}

/** Returns the text of a file, or undefined when there is none. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })

const profileFile = (io: Surroundings, name: string): string =>
  join(configFolder(io), "profiles", safeFileName(`${name}.json`))
const currentFile = (io: Surroundings): string => join(configFolder(io), "current")

/** Returns the name of the profile in use. */
export const currentName = async (io: Surroundings): Promise<string | undefined> =>
  (await readIfThere(currentFile(io)))?.trim()

/** Returns the profile of that name, or the one in use. Refuses an unknown name. */
export const readProfile = async (io: Surroundings, named: string | undefined): Promise<Profile | undefined> => {
  const name = named ?? (await currentName(io))
  if (name === undefined) return undefined
  const text = /^[\w.-]+$/.test(name) ? await readIfThere(profileFile(io, name)) : undefined
  if (text !== undefined) return JSON.parse(text) as Profile
  if (named === undefined) return undefined
  const names = (await readProfiles(io)).map((profile) => profile.name)
  throw usage(`there is no profile ${named}`, names.length === 0 ? "carteiro login" : `one of: ${names.join(", ")}`)
}

/** Returns every profile by name. */
export const readProfiles = async (io: Surroundings): Promise<ReadonlyArray<Profile>> => {
  const names = await readdir(join(configFolder(io), "profiles")).catch(() => [])
  const files = names.filter((name) => name.endsWith(".json")).toSorted()
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(configFolder(io), "profiles", name), "utf8")) as Profile)
  )
}

/** Saves a profile and makes it the one in use. */
export const saveProfile = async (io: Surroundings, profile: Profile): Promise<void> => {
  await writePrivate(profileFile(io, profile.name), `${JSON.stringify(profile, null, 2)}\n`)
  await useProfile(io, profile.name)
}

/** Makes a profile the one in use. */
export const useProfile = (io: Surroundings, name: string): Promise<void> => writePrivate(currentFile(io), `${name}\n`)

/** Deletes a profile's file; another profile comes into use only when the person switches to it. */
export const deleteProfile = async (io: Surroundings, name: string): Promise<void> => {
  await rm(profileFile(io, name), { force: true })
  if ((await currentName(io)) === name) await rm(currentFile(io), { force: true })
}
