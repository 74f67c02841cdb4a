// Runs in pages of the quiet list, before anything of them is shown.
location.replace(`${chrome.runtime.getURL('quiet.html')}#${location.href}`)
