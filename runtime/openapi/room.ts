import { Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { ErrorsHttp } from "./errors/ErrorsHttp.ts"
import { OpenApiHttp } from "./OpenApiHttp.ts"

/** The openapi room: `/openapi.json`, `/docs` and the manifest. */
export const room = defineRoom({ name: "openapi", routes: Layer.merge(OpenApiHttp, ErrorsHttp) })
