export { ErrorsHttp } from "./errors/ErrorsHttp.ts"
export { OpenApiHttp } from "./OpenApiHttp.ts"
