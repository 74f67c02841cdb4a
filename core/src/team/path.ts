/** Apart from the endpoint: the first file of the web app needs no more of it. */
export const TEAM_PATH = '/api/team'
