import { isLanguage } from '@deeb/core/languages'
import { setLanguage } from '@deeb/texts/runtime'

const [tag] = chrome.i18n.getUILanguage().split('-')
const language = isLanguage(tag) ? tag : 'en'
setLanguage(language)
if (globalThis.document) document.documentElement.lang = language
