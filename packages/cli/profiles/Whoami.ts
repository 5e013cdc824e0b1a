import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { fields, table } from "../shell/Table.ts"
import { currentName, deleteProfile, readProfile, readProfiles, useProfile } from "./ProfileFiles.ts"

/** Shows the key in use as the API sees it. */
export const whoami = async (shell: Shell): Promise<void> => {
  const { baseUrl, profile } = await shell.access()
  const account = await (await shell.client()).account.get()
  const { api_key, dashboard_owner, environment, organization, project } = account
  shell.result(
    { ...account, profile: profile?.name ?? null, base_url: baseUrl },
    fields({
      profile: profile?.name ?? "(CARTEIRO_API_KEY)",
      api: baseUrl,
      organization: `${organization.name} (${organization.id})`,
      project: `${project.name} (${project.slug})`,
      environment: `${environment.kind} (${environment.id})`,
      key: `${api_key.name} (${api_key.id})`,
      expires: api_key.expires_at ?? "never",
      owner: dashboard_owner === null ? null : `${dashboard_owner.name} <${dashboard_owner.email}>`,
      scopes: api_key.scopes.join(" ")
    })
  )
}

/** Deletes the key from this machine. A person revokes it in the console. */
export const logout = async (shell: Shell): Promise<void> => {
  const profile = await readProfile(shell.io, shell.options.profile)
  if (profile === undefined) throw usage("no profile is in use", "carteiro switch shows the profiles")
  await deleteProfile(shell.io, profile.name)
  const revoke_url = `${profile.base_url}/dashboard/api-keys`
  shell.result(
    { profile: profile.name, key_id: profile.key_id, revoke_url },
    `Deleted ${profile.name} from this machine. The key ${profile.key_id} still works until it is revoked: ${revoke_url}`
  )
}

/** Lists the profiles, or makes one the profile in use. */
export const switchProfile = async (shell: Shell, name: string | undefined): Promise<void> => {
  if (name !== undefined) {
    const profile = await readProfile(shell.io, name)
    await useProfile(shell.io, name)
    return shell.result({ profile: name }, `Using ${name}: ${profile?.project}, ${profile?.environment}`)
  }
  const profiles = await readProfiles(shell.io)
  const current = await currentName(shell.io)
  const shown = profiles.map(({ api_key: _, ...rest }) => ({ ...rest, in_use: rest.name === current }))
  const rows = shown.map((one) => [
    one.in_use ? "*" : "",
    one.name,
    one.project,
    one.environment,
    one.base_url,
    one.expires_at
  ])
  const text =
    rows.length === 0
      ? "No profile yet: carteiro login"
      : table(["", "PROFILE", "PROJECT", "ENVIRONMENT", "API", "EXPIRES"], rows)
  shell.result(shown, text)
}
