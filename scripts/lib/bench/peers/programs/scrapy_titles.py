"""Titles and cards with Scrapy. usage: LINKS ROWS CONCURRENCY TIMEOUT-SECONDS"""

import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse


class Titles(scrapy.Spider):
    name = "titles"

    def __init__(self, links, output, **arguments):
        super().__init__(**arguments)
        self.links, self.output = links, output

    async def start(self):
        for line in self.links:
            link = line.rstrip("\n")
            yield scrapy.Request(link, self.parse, errback=self.fail, dont_filter=True, meta={"link": link})

    def write(self, row):
        self.output.write(json.dumps(row, ensure_ascii=False) + "\n")

    def parse(self, response):
        row = {"link": response.meta["link"], "final": response.url, "status": response.status}
        if isinstance(response, HtmlResponse):
            row["title"] = " ".join(response.xpath("string(//title)").get("").split())
            names = ("title", "description", "image")
            row["card"] = found = {name: response.xpath(f'//meta[@property="og:{name}"]/@content').get() for name in names}
            if found["image"]:
                row["image"] = response.urljoin(found["image"])
        self.write(row)

    def fail(self, failure):
        link = failure.request.meta["link"]
        kind = "other"
        # Scrapy ignores a request that was redirected too often.
        if failure.check(scrapy.exceptions.IgnoreRequest):
            kind = "loop"
        elif "Time" in failure.type.__name__:
            kind = "dead"
        self.write({"link": link, "failure": kind, "message": failure.getErrorMessage()})


def main(links, rows, concurrency, timeout):
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": int(concurrency),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
            "DOWNLOAD_DELAY": 0,
            "DOWNLOAD_TIMEOUT": int(timeout),
            "ROBOTSTXT_OBEY": False,
            "RETRY_ENABLED": False,
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "HTTPERROR_ALLOW_ALL": True,
            "REDIRECT_MAX_TIMES": 20,
            "LOG_LEVEL": "ERROR",
            "EXTENSIONS": {"scrapy.extensions.memusage.MemoryUsage": None, "scrapy.extensions.logstats.LogStats": None},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        }
    )
    with open(links) as source, open(rows, "w") as output:
        process.crawl(Titles, links=source, output=output)
        process.start()


main(*sys.argv[1:])
