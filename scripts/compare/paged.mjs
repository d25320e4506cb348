// Prints an HTML file that Paged.js lays out, once it says that it is done.
//   node paged.mjs file.html out.pdf chromium
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(new URL('../../e2e/package.json', import.meta.url))
const { default: puppeteer } = await import(pathToFileURL(require.resolve('puppeteer-core')))
const [file, out, executablePath] = process.argv.slice(2)
const browser = await puppeteer.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--allow-file-access-from-files'],
})
try {
  const page = await browser.newPage()
  await page.evaluateOnNewDocument(() => { window.PagedConfig = { after: () => { window.laidOut = true } } })
  await page.goto(pathToFileURL(resolve(file)))
  await page.waitForFunction('window.laidOut', { timeout: 120_000 })
  await page.pdf({ path: out, preferCSSPageSize: true, printBackground: true, tagged: true, outline: true, timeout: 120_000 })
} finally {
  await browser.close()
}
