import { type PixOptions, type PixSimulator, startPix } from "../pix/PixSimulator.ts"
import { agenticRoutes } from "./AgenticRoutes.ts"

/** Starts Pix provider 1 on loopback; port 0 takes any free one. */
export const startPixprov1 = (options: PixOptions, port = 0): Promise<PixSimulator> =>
  startPix(
    options,
    { path: "/v1/charges", operation: "charge", hasModes: false, idPrefix: "chg_", noticeType: "charge.updated" },
    agenticRoutes,
    port
  )
