import { resolve } from "node:path"
import type { SettingsValues } from "../Settings.ts"
import { developmentSecret } from "./DevelopmentSecret.ts"
import type { Simulator } from "./Simulator.ts"

/** Returns the folder of the simulated institution's certificates. */
const folderOf = ({ dataDir }: Pick<SettingsValues, "dataDir">): string => resolve(dataDir, "pix-api")

/** Returns the file with the authority of the simulated institution, as PEM text. */
export const pixApiAuthorityPath = (settings: Pick<SettingsValues, "dataDir">): string =>
  resolve(folderOf(settings), "authority.pem")

/** The simulated institution with the central bank's standard API, for connections of that driver. Boot contract, "Settings" */
export const pixApiSimulator: Simulator = {
  name: "pix-api",
  member: "pix_api",
  isWanted: (settings) => settings.pixApiSimulatorUrl === undefined,
  options: (settings) => ["--certificates", folderOf(settings), "--work-ms", String(settings.sandboxStatusDelayMs)],
  environment: (_settings, _keys, url) => (url === undefined ? {} : { CARTEIRO_PIX_API_SIMULATOR_URL: url }),
  settings: (_settings, _keys, url) => (url === undefined ? {} : { pixApiSimulatorUrl: url }),
  // It knows any client, and any Pix key of it.
  members: (settings, keys, { control_url }) =>
    control_url === undefined
      ? {}
      : {
          pix_api: settings.pixApiSimulatorUrl ?? null,
          pix_api_control: control_url,
          pix_api_client_id: "demo",
          pix_api_client_secret: developmentSecret(keys, "pix_api"),
          pix_api_certificate: resolve(folderOf(settings), "client.p12"),
          pix_api_certificate_password: "simulated",
          pix_api_pix_key: "pix@demo.test"
        }
}
