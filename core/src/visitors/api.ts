import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { maxCharacters } from '../formats.ts'

/** The page of a lead: /coming-soon, and the waitlist. */
export const LEAD_SOURCES = ['coming_soon_page', 'main_coming_soon'] as const
export type LeadSource = (typeof LEAD_SOURCES)[number]

/** The offers that a visitor of /coming-soon can ask for. */
export const LEAD_PURPOSES = [
  'info_sheet',
  'demo',
  'pilot',
  'sales',
  'newsletter',
  'privacy',
  'terms',
  'imprint',
  'contact',
  'support',
] as const
export type LeadPurpose = (typeof LEAD_PURPOSES)[number]

/** The buttons whose clicks are counted, by page. */
export const TRACKED_BUTTONS = {
  homepage: ['tell_company'],
  employers: [
    'book_demo',
    'download_info_sheet',
    'see_platform_in_action',
    'estimate_roi',
    'book_demo_footer',
    'contact_sales',
    'start_free_pilot',
    'newsletter_subscribe',
  ],
} as const
export type TrackedPage = keyof typeof TRACKED_BUTTONS

const Lead = v.object({
  email: v.pipe(v.string(), maxCharacters(320)),
  source: v.picklist(LEAD_SOURCES),
  purpose: v.optional(v.picklist(LEAD_PURPOSES)),
})

export const saveLead = endpoint({
  method: 'POST',
  path: '/api/leads',
  summary:
    'Add an email to a waiting list. No sign-in. The answer is the same if it was on the list already; `invalid_email` if it is invalid.',
  input: Lead,
  output: Lead,
})

/** A random id of one click, made by enhance.ts. It does not identify the visitor. */
const userSession = v.pipe(v.string(), v.regex(/^[0-9a-z]{1,64}$/i))

export const saveClick = endpoint({
  method: 'POST',
  path: '/api/clicks',
  summary: 'Count a click on a button of the public pages. No sign-in.',
  input: v.variant('page', [
    v.object({ page: v.literal('homepage'), buttonName: v.picklist(TRACKED_BUTTONS.homepage), userSession }),
    v.object({ page: v.literal('employers'), buttonName: v.picklist(TRACKED_BUTTONS.employers), userSession }),
  ]),
  output: v.object({ buttonName: v.string(), page: v.string(), userSession: v.string() }),
})
