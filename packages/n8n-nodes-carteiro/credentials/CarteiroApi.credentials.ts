import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow"

/** A key of one environment, and where the API is. */
export class CarteiroApi implements ICredentialType {
  name = "carteiroApi"

  displayName = "Carteiro API"

  icon = { light: "file:../icons/carteiro.svg", dark: "file:../icons/carteiro.dark.svg" } as const

  documentationUrl = "https://carteiro.example/docs/n8n"

  properties: INodeProperties[] = [
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      placeholder: "svc_sbx_…",
      description: "A key of the environment that the workflow acts in, from the console: svc_sbx_… or svc_live_…"
    },
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "http://127.0.0.1:8080",
      required: true,
      description: "Where the API is, without a path"
    }
  ]

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } }
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(new RegExp("/+$"), "")}}', url: "/v1/account" }
  }
}
