/* The script in the page itself: it runs before any file of the app is loaded. The server's CSP has its hash. */
import { askForHome } from './early-home.ts'

askForHome()
