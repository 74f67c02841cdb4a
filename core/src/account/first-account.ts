/** In the `data` of a sign-up: the token of the link that creates the first account of a server. Also in the fragment of that link. */
export const FIRST_ACCOUNT = 'deeb_first'
