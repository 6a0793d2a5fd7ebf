import { z } from 'zod'

/** The address of a server without credentials in it. The message never repeats the value, which may hold a password. */
export const baseUrlSchema: z.ZodType<URL, string> = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (message: string): never => {
    context.issues.push({ code: 'custom', message, input: undefined })
    return z.NEVER
  }
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return refuse('must be an http or https address')
  if (url.username !== '' || url.password !== '')
    return refuse('must not hold a user or password; use `apiKey` or `headers`')
  return url
})

/** `{baseUrl}/chat/completions`, whether or not the base ends with a slash; a query stays at the end. */
export function completionsUrl(baseUrl: URL): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  url.hash = ''
  return url
}

/** An address as a message may show it: without its query, which can hold a key. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`
}
