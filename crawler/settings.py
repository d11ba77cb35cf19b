"""Set Scrapy's settings for all spiders. The frontier times the requests per host, so Scrapy's own limits are off."""

from crawler.options import USER_AGENT as _AGENT

BOT_NAME = "parcels"
SPIDER_MODULES = ["crawler.spiders"]
USER_AGENT = _AGENT
SCHEDULER = "crawler.scheduler.FrontierScheduler"

# Nothing listens: no telnet, no remote control.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# The frontier and the crawl session handle politeness, retries, redirects, robots.txt and depth.
ROBOTSTXT_OBEY = False  # crawler/session.py fetches robots.txt before anything else and obeys it, with Crawl-delay
REDIRECT_ENABLED = False
RETRY_ENABLED = False
METAREFRESH_ENABLED = False
COOKIES_ENABLED = False
DOWNLOAD_DELAY = 0
CONCURRENT_ITEMS = 1  # Scrapy starts so many tasks for every answer; nothing here yields items
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 16
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 20_000_000
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_FAIL_ON_DATALOSS = False
HTTPERROR_ALLOW_ALL = True
TWISTED_DNS_RESOLVER = "crawler.fetch.safety.SafeResolver"
ALLOW_PRIVATE = False
PER_ADDRESS = 4

DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "crawler.fetch.render.RenderMiddleware": 100,  # only with RENDER = "auto"
    "crawler.fetch.safety.BoundedDecompression": 590,
    "crawler.fetch.safety.SafetyMiddleware": 820,
    "crawler.fetch.dns.DnsMiddleware": 830,
}
SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
}
EXTENSIONS = {
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.memusage.MemoryUsage": None,
    "scrapy.extensions.logstats.LogStats": None,
    "scrapy.extensions.feedexport.FeedExporter": None,
    "scrapy.extensions.throttle.AutoThrottle": None,
    "scrapy.extensions.spiderstate.SpiderState": None,
    "scrapy.extensions.closespider.CloseSpider": None,
    "scrapy.extensions.memdebug.MemoryDebugger": None,
}
LOG_LEVEL = "WARNING"
STATS_DUMP = False
